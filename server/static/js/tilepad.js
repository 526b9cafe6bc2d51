// Changing or adding one tile: the likely ones first, then a pad for each half.

import { button, h, sheet, t } from './lib.js';
import { domino, written } from './domino.js';
import { photoImage } from './shown.js';

/** A cut-out of the photo around one tile. */
export function cutout(photo, corners) {
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const margin = 0.25 * Math.max(width, height);
  return h('svg.cutout', { viewBox: `${left - margin} ${top - margin} ${width + 2 * margin} ${height + 2 * margin}`,
    role: 'img', 'aria-label': t('hand.on_photo') },
  photoImage(photo),
  h('polygon', { points: corners.map((point) => point.join(',')).join(' '), class: 'outline doubtful' }));
}

/**
 * Ask for a tile. `done(ends)` is called with both values; `remove` if the tile can go.
 * With `more`, the pad stays open for the next tile. `above(close)` and `below(close)` make what
 * stands round the pad.
 */
export function askTile({ title, tile, photo, setSize, done, remove, removeLabel = t('hand.remove'), more = false, above = null, below = null }) {
  let ends = tile ? [...tile.ends] : [null, null];
  let half = ends[0] === null ? 0 : 1;
  if (tile && ends[0] !== null && ends[1] !== null) half = 0;
  sheet(title, (close) => {
    const body = h('div.tilepad', {});
    const finish = (chosen) => {
      done(chosen);
      if (!more) { close(); return; }
      ends = [null, null];
      half = 0;
      draw();
    };
    const press = (value) => {
      ends[half] = value;
      if (half === 0) { half = 1; draw(); return; }
      if (ends[0] !== null && (more || !tile || tile.quick)) { finish([...ends]); return; }
      draw();
    };
    const draw = () => {
      const options = (tile?.options || []).slice(0, 5);
      body.replaceChildren(...[
        options.length ? h('div.options', {}, h('p', {}, t('hand.likely')), h('div.row', {},
          options.map((option) => h('button.tile', { type: 'button', onclick: () => finish(option), 'aria-label': written(option) },
            domino(option, { across: true }))))) : null,
        h('div.row.what', {}, tile?.corners && photo ? cutout(photo, tile.corners) : null, h('div.halves', { role: 'group', 'aria-label': t('hand.halves') }, [0, 1].map((index) => h('button', {
          type: 'button', class: index === half ? 'half chosen' : 'half', 'aria-pressed': String(index === half),
          onclick: () => { half = index; draw(); },
        }, ends[index] ?? '–')))),
        h('div.pad', {}, Array.from({ length: setSize + 1 }, (_, value) => h('button', {
          type: 'button', 'data-value': value, autofocus: value === 0, onclick: () => press(value) }, value))),
        h('div.row', {},
          ends.includes(null) ? null : button(t('hand.use', { tile: written(ends) }), () => finish([...ends]), 'main'),
          remove ? button(removeLabel, () => { remove(); close(); }, 'danger') : null,
          more ? button(t('done'), close) : null),
      ].filter(Boolean));
      body.querySelector('.pad button')?.focus({ preventScroll: true });
    };
    draw();
    return [...[above?.(close)].flat(), body, below?.(close)].filter(Boolean);
  });
}
