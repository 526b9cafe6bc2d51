// Pictures kept before and after what happened, with what changed outlined.

import { h, t } from './lib.js';

/** Before and after of acts that a camera saw, side by side and close up; null if none did. */
export function pictures(state, acts) {
  const seen = acts.map((act) => act.seen).filter((one) => one && one.after);
  if (!seen.length || !(state.you.host || state.you.seat)) return null;
  const outlines = seen.map((one) => one.corners).filter(Boolean);
  const before = seen.find((one) => one.before)?.before;
  const last = seen.at(-1);
  const box = around(outlines.flat(), last.size);
  return h('div.before-after.evidence', {},
    before ? figure(state, before, last.size, box, outlines, 'dispute.picture_before', 'gone') : null,
    figure(state, last.after, last.size, box, outlines, 'dispute.picture_after', 'laid'));
}

/** The part of a picture to show: what changed with room around it, at least a third of the picture. */
function around(points, [width, height]) {
  if (!points.length) return [0, 0, width, height];
  const [xs, ys] = [points.map((point) => point[0]), points.map((point) => point[1])];
  const spans = [(Math.max(...xs) - Math.min(...xs)) / width, (Math.max(...ys) - Math.min(...ys)) / height];
  const share = Math.min(1, Math.max(1 / 3, 2.2 * Math.max(...spans)));
  const size = [width * share, height * share];
  const middle = [(Math.max(...xs) + Math.min(...xs)) / 2, (Math.max(...ys) + Math.min(...ys)) / 2];
  const corner = [width, height].map((whole, axis) => Math.min(whole - size[axis], Math.max(0, middle[axis] - size[axis] / 2)));
  return [...corner, ...size].map((value) => Math.round(value));
}

function figure(state, number, [width, height], box, outlines, key, kind) {
  const href = `/api/games/${state.id}/pictures/${number}`;
  return h('figure', {}, h('figcaption', {}, t(key)),
    h('a', { href, target: '_blank', title: t('dispute.picture_whole') },
      h('svg', { viewBox: box.join(' '), role: 'img', 'aria-label': t(key), class: kind },
        h('image', { href, width, height }),
        outlines.map((corners) => h('polygon', { points: corners.map((point) => point.join(',')).join(' ') })))));
}
