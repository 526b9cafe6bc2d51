// A photo and the tiles on it: how it is taken, where something stands on it, and the question about a tile that is
// not sure.

import { button, h, t } from './lib.js';
import { domino, written } from './domino.js';
import { cutout } from './tilepad.js';

/** A place in the photo, kept far enough from its edge for what stands there to be seen and held. */
export const within = (part, edge) => `clamp(${edge}, ${100 * part}%, calc(100% - ${edge}))`;

export const middle = (corners) => [0, 1].map((axis) => corners.reduce((sum, point) => sum + point[axis], 0) / corners.length);

/** The part of the photo that holds the tiles, with room to tap beside them; all of it if that is nearly all. */
export function around(tiles, [width, height]) {
  const points = tiles.flatMap((tile) => tile.corners || [tile.at]);
  if (!points.length) return [0, 0, width, height];
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const margin = 0.12 * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const left = Math.max(0, Math.min(...xs) - margin);
  const top = Math.max(0, Math.min(...ys) - margin);
  const wide = Math.min(width, Math.max(...xs) + margin) - left;
  const high = Math.min(height, Math.max(...ys) + margin) - top;
  return wide * high > 0.7 * width * height ? [0, 0, width, height] : [left, top, wide, high];
}

/** Ask about one doubtful tile: what it may be, something else, or no tile at all. `left` are to be asked about. */
export function question(tile, photo, left, { set, edit, remove }) {
  const codes = tile.doubts.map((doubt) => doubt.code);
  const choices = [tile.ends, ...tile.options].filter((ends) => !ends.includes(null)).slice(0, 3);
  const key = codes.includes('maybe_tile') ? 'hand.ask.maybe' : codes.includes('seen_twice') ? 'hand.ask.twice'
    : choices.length > 1 ? 'hand.ask.which' : 'hand.ask.right';
  return h('section.question', { 'aria-live': 'polite' },
    h('h2', {}, t(key, { tile: written(tile.ends), a: choices[0] && written(choices[0]), b: choices[1] && written(choices[1]) })),
    h('div.ask', {}, photo && tile.corners ? cutout(photo, tile.corners) : null,
      h('div.choices', {}, choices.map((ends) => h('button.tile', { type: 'button', 'aria-label': written(ends), onclick: () => set(ends) },
        domino(ends, { across: true }), h('span', {}, written(ends)))))),
    h('div.row.small', {}, button(t('hand.other'), edit), button(t('hand.no_tile'), remove),
      left > 1 ? h('span.muted', {}, t('hand.left', { count: left })) : null));
}

/** A button that is really a file input: it opens the phone's own camera, over plain HTTP too. `send(file)` gets the photo. */
export function picker(label, kind, camera, send) {
  const input = h('input', { type: 'file', accept: 'image/*', capture: camera ? 'environment' : null, onchange: () => { if (input.files[0]) send(input.files[0]); } });
  return h('label.button', { class: kind }, camera ? cameraSign() : null, label, input);
}

/** Drawn, since not every device has a sign for it. */
const cameraSign = () => h('svg.icon', { viewBox: '0 0 24 24', 'aria-hidden': 'true' },
  h('path', { d: 'M3 8.5A1.5 1.5 0 0 1 4.5 7H8l1.6-2.5h4.8L16 7h3.5A1.5 1.5 0 0 1 21 8.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5z' }),
  h('circle', { cx: 12, cy: 13, r: 3.6 }));

/** Places (x, y in px) of labels (width, height in px) so that none covers another: moved apart as little as it takes. */
export function apart(places, [width, height]) {
  const moved = places.map((place) => [...place]);
  for (let round = 0; round < 60; round += 1) {
    let still = true;
    for (let a = 0; a < moved.length; a += 1) {
      for (let b = a + 1; b < moved.length; b += 1) {
        const [dx, dy] = [moved[b][0] - moved[a][0], moved[b][1] - moved[a][1]];
        const [over, under] = [width - Math.abs(dx), height - Math.abs(dy)];
        if (over <= 0 || under <= 0) continue;
        still = false;
        const axis = under <= over ? 1 : 0;
        const push = ((axis ? under : over) / 2 + 0.5) * ((axis ? dy : dx) < 0 ? -1 : 1);
        moved[a][axis] -= push;
        moved[b][axis] += push;
      }
    }
    if (still) break;
  }
  return moved;
}
