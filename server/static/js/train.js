// One train: what lies on it, each tile to be put right by a tap, and a pad to lay the next one.

import { button, h, t } from './lib.js';
import { domino, written } from './domino.js';
import { trainName } from './ruling.js';
import { askTile } from './tilepad.js';

/** `lay(ends)` lays a tile; `correct(was, ends)` puts one right, or confirms it when they are equal. */
export function openTrain(state, train, { lay, correct }) {
  const ends = train.ends.length ? train.ends : [state.table.double];
  askTile({
    title: t('table.lay_on', { train: trainName(state, train.id) }), setSize: state.rules.set_size,
    tile: { ends: [ends[0], null], options: [], quick: true }, done: lay,
    above: (close) => [train.tiles.length ? lies(state, train, close, correct) : null, h('p', {}, t('table.next_tile', { end: ends.join(' / ') }))],
  });
}

/** The tiles of the train; a long one is pushed aside, its end first. */
function lies(state, train, close, correct) {
  const line = h('div.line', {}, train.tiles.map((ends, place) => h('button.tile', { type: 'button', class: train.doubts?.includes(place) ? 'doubtful' : '',
    'aria-label': t('table.put_right', { tile: written(ends) }), onclick: () => { close(); putRight(state, train, place, correct); } },
  domino(ends, { across: ends[0] !== ends[1] }))));
  requestAnimationFrame(() => { line.scrollLeft = line.scrollWidth; });
  return h('div.lies', {}, h('p.hint', {}, t('table.lies')), line);
}

function putRight(state, train, place, correct) {
  const was = train.tiles[place];
  askTile({
    title: t('table.put_right', { tile: written(was) }), setSize: state.rules.set_size,
    tile: { ends: [...was], options: train.maybe?.[place] || [] }, done: (ends) => correct(was, ends),
    above: (close) => (train.doubts?.includes(place)
      ? h('div.row', {}, button(t('table.is_right', { tile: written(was) }), () => { correct(was, was); close(); }, 'main huge')) : null),
  });
}
