// One train: what lies on it, each tile to be put right or taken away by a tap, its marker, and a pad to lay the next.

import { button, h, sheet, t } from './lib.js';
import { badge } from './badge.js';
import { domino, written } from './domino.js';
import { trainName } from './ruling.js';
import { askTile } from './tilepad.js';

/**
 * `lay(ends)` lays a tile; `correct(was, ends)` puts one right, or confirms it when they are equal; `change(wish)`
 * takes one away that is none, adds one that nobody told of, or sets the marker; `move(was, to)` puts one on the train
 * where it lies. Without `lay` there is no pad.
 */
export function openTrain(state, train, acts) {
  const ends = train.ends.length ? train.ends : [state.table.double];
  if (!acts.lay) {
    sheet(t('table.train_of', { train: trainName(state, train.id) }), (close) => [lies(state, train, close, acts), fixes(state, train, close, acts)]);
    return;
  }
  askTile({
    title: t('table.lay_on', { train: trainName(state, train.id) }), setSize: state.rules.set_size,
    tile: { ends: [ends[0], null], options: [], quick: true }, done: acts.lay,
    above: (close) => [lies(state, train, close, acts), h('p', {}, t('table.next_tile', { end: ends.join(' / ') }))],
    below: (close) => fixes(state, train, close, acts),
  });
}

const then = (close, work) => () => { close(); work(); };

/** The tiles of the train, its end in sight. */
function lies(state, train, close, acts) {
  if (!train.tiles.length) return null;
  const line = h('div.line', {}, train.tiles.map((ends, place) => h('button.tile', { type: 'button', class: train.doubts?.includes(place) ? 'doubtful' : '',
    'aria-label': t('table.put_right', { tile: written(ends) }), onclick: then(close, () => putRight(state, train, place, acts)) },
  domino(ends, { across: ends[0] !== ends[1] }))));
  requestAnimationFrame(() => { line.scrollLeft = line.scrollWidth; });
  return h('div.lies', {}, h('p.hint', {}, t('table.lies')), line);
}

/** What else can be put right: a tile that was overlooked, the marker. */
function fixes(state, train, close, acts) {
  const marker = (up) => button(t(up ? 'table.marker_on' : 'table.marker_off'), then(close, () => { if (up !== train.marker) acts.change({ train: train.id, marker: up }); }),
    up === train.marker ? 'seat chosen' : 'seat', { 'aria-pressed': String(up === train.marker) });
  return h('div.fixes', {}, h('div.row.small', {}, button(t('table.overlooked'), then(close, () => addTile(state, train, train.tiles.length, acts)), 'small')),
    state.seats.some((one) => one.id === train.id) ? h('div.seat-row.all', { role: 'group' }, marker(true), marker(false)) : null);
}

/** Put one tile right; `seen` is where it lies in a picture: `photo` ({url, size}) and `corners`. */
export function putRight(state, train, place, acts, seen = {}) {
  const was = train.tiles[place];
  askTile({
    title: t('table.put_right', { tile: written(was) }), setSize: state.rules.set_size,
    tile: { ends: [...was], options: train.maybe?.[place] || [], corners: seen.corners }, photo: seen.photo, done: (ends) => acts.correct(was, ends),
    remove: () => acts.change({ train: train.id, gone: was }, place), removeLabel: t('table.no_tile'),
    above: (close) => [train.doubts?.includes(place)
      ? h('div.row', {}, button(t('table.is_right', { tile: written(was) }), () => { acts.correct(was, was); close(); }, 'main huge')) : null,
    h('div.row.small', {}, button(t('table.overlooked_before', { tile: written(was) }), then(close, () => addTile(state, train, place, acts)), 'small'),
      button(t('table.elsewhere'), then(close, () => elsewhere(state, train, was, acts)), 'small'))],
  });
}

/** A tile that lies on another train than it is told of. */
function elsewhere(state, train, was, acts) {
  sheet(t('table.which_train', { tile: written(was) }), (close) => h('div.seat-row.all', { role: 'group' },
    state.table.trains.filter((one) => one.id !== train.id).map((one) => {
      const seat = state.seats.find((owner) => owner.id === one.id);
      return h('button.seat', { type: 'button', onclick: then(close, () => acts.move(was, one.id)) }, seat ? badge(seat) : h('span', { 'aria-hidden': 'true' }, '★'), h('span', {}, trainName(state, one.id)));
    })));
}

/** A tile that lies there already: who laid it, so that the hands still count. */
function addTile(state, train, at, acts) {
  let seat = state.seats.some((one) => one.id === train.id) ? train.id : null;
  const who = h('div.seat-row.all', { role: 'group', 'aria-label': t('table.laid_by') });
  const draw = () => who.replaceChildren(h('p', {}, t('table.laid_by')), ...state.seats.map((one) => h('button', { type: 'button',
    'aria-pressed': String(one.id === seat), class: one.id === seat ? 'seat chosen' : 'seat', onclick: () => { seat = one.id; draw(); } }, badge(one), h('span', {}, one.name))));
  draw();
  askTile({
    title: t('table.overlooked'), setSize: state.rules.set_size, tile: { ends: [at ? train.tiles[at - 1][1] : state.table.double, null], options: [], quick: true },
    done: (ends) => acts.change({ train: train.id, tile: ends, at, seat }), above: () => who,
  });
}
