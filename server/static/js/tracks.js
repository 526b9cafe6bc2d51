// A few trains, one under the other like the tracks of a station: for comparing before and after.

import { h, t } from './lib.js';
import { badge } from './badge.js';
import { domino } from './domino.js';

/** `changed` is the table before: tiles that it has not are outlined. */
export function tracks(state, shown, { changed = null } = {}) {
  return h('div.tracks', {}, shown.trains.map((train) => {
    const seat = state.seats.find((one) => one.id === train.id);
    const tiles = train.tiles.slice(-14);
    const fresh = changed ? (changed.trains.find((one) => one.id === train.id)?.tiles.length ?? 0) : Infinity;
    const skipped = train.tiles.length - tiles.length;
    const ends = train.ends.length ? train.ends : [shown.double];
    const owed = shown.owed?.train === train.id;
    const name = seat ? seat.name : t('train.mexican_short', { number: train.id.slice(1) });
    const line = h('div.rail', {}, skipped ? h('span.muted', {}, `+${skipped}`) : null,
      tiles.map((tile, index) => h('span', { class: skipped + index >= fresh ? 'laid new' : 'laid' },
        domino(tile, { across: tile[0] !== tile[1] }))),
      train.tiles.length ? null : h('span.muted', {}, t('table.unstarted')));
    const label = t('table.train', { name, end: ends.join(', '), count: train.tiles.length });
    const end = h('span', { class: train.open_double ? 'end owed' : 'end', title: t('table.end') }, ends.join(' '));
    const kind = `track${shown.to_move === train.id ? ' to-move' : ''}${owed ? ' owed' : ''}${train.marker ? ' open' : ''}`;
    return h('div', { class: kind, 'aria-label': label, role: 'group' },
      h('span.owner', {}, seat ? badge(seat) : h('span.mexican', { 'aria-hidden': 'true' }, '★'), h('span.name', {}, name),
        train.marker ? h('span.marker', { role: 'img', 'aria-label': t('table.marker') }, '⚑') : null,
        seat && shown.hands[seat.id] !== null ? h('small', { title: t('table.in_hand') }, shown.hands[seat.id]) : null), line, end);
  }));
}
