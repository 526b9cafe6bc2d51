// Pictures kept before and after what happened, with what changed outlined.

import { h, t } from './lib.js';

/** Before and after of acts that a camera saw, side by side; null if none did. */
export function pictures(state, acts) {
  const seen = acts.map((act) => act.seen).filter((one) => one && one.after);
  if (!seen.length || !(state.you.host || state.you.seat)) return null;
  const outlines = seen.map((one) => one.corners).filter(Boolean);
  const before = seen.find((one) => one.before)?.before;
  const last = seen.at(-1);
  return h('div.before-after.evidence', {},
    before ? figure(state, before, last.size, outlines, 'dispute.picture_before', 'gone') : null,
    figure(state, last.after, last.size, outlines, 'dispute.picture_after', 'laid'));
}

function figure(state, number, [width, height], outlines, key, kind) {
  return h('figure', {}, h('figcaption', {}, t(key)),
    h('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': t(key), class: kind },
      h('image', { href: `/api/games/${state.id}/pictures/${number}`, width, height }),
      outlines.map((corners) => h('polygon', { points: corners.map((point) => point.join(',')).join(' ') }))));
}
