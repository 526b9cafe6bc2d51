// The score sheet: rounds, totals, places, the chart of the evening, ties in words, corrections.

import { api, attempt, button, h, say, t } from './lib.js';
import { badge, colourOf, shapePath, short } from './badge.js';
import { domino } from './domino.js';
import { openHand } from './handview.js';
import { askTotal } from './typed.js';

const seatOf = (state, id) => state.sheet.players.find((seat) => seat.id === id);

export class SheetTab {
  constructor(place, state) {
    this.place = place;
    this.update(state);
  }

  update(state) {
    this.state = state;
    const { rounds } = state.sheet;
    this.place.replaceChildren(...[
      rounds.length ? podium(state) : h('p.lead', {}, t('sheet.empty')),
      nextRound(state),
      ties(state),
      unaccounted(state),
      rounds.length ? this.table() : null,
      rounds.length > 1 ? chart(state) : null,
      rounds.length ? this.takeAway() : null,
    ].filter(Boolean));
  }

  table() {
    const { state } = this;
    const { rounds, totals, players } = state.sheet;
    const late = players.some((player) => player.brought);
    const leaders = state.sheet.places.filter((place) => place.rank === 1).map((place) => place.seat);
    const may = (seat) => state.you.host || state.you.seat === seat.id;
    const row = (round) => h('tr', {}, h('th', { scope: 'row' }, h('span.round-number', {}, round.number),
      domino([round.double, round.double], { across: true })),
    players.map((seat) => {
      const points = round.points[seat.id];
      if (points === undefined) return h('td.muted', { 'aria-label': t('sheet.missed', { name: seat.name }) }, '–');
      const was = round.corrected[seat.id];
      const inner = [round.out.includes(seat.id) ? h('b.out', {}, '0') : points, was !== undefined ? h('s', { 'aria-label': t('sheet.was', { points: was }) }, was) : null];
      return h('td', {}, h('button.cell', { type: 'button', 'aria-label': t('sheet.open', { name: seat.name, round: round.number, points }),
        onclick: () => openHand(state, round, seat, may(seat) ? () => this.correct(round, seat) : null) }, inner));
    }));
    return h('div.scroll', {}, h('table.sheet-table', {},
      h('caption', {}, t('sheet.caption')),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('sheet.round')), players.map((seat) => h('th', { scope: 'col', class: seat.gone ? 'away' : '' }, badge(seat), h('span', {}, h('bdi', {}, seat.name)))))),
      h('tbody', {}, late ? h('tr', {}, h('th', { scope: 'row' }, t('sheet.brought')), players.map((player) => h('td', {}, player.brought || ''))) : null, rounds.map(row)),
      h('tfoot', {}, h('tr', {}, h('th', { scope: 'row' }, t('sheet.total')), players.map((seat) =>
        h('td', { class: seat.gone ? 'muted' : leaders.includes(seat.id) ? 'leader' : '' }, totals[seat.id]))))));
  }

  correct(round, seat) {
    askTotal(t('sheet.correct_title', { name: seat.name, round: round.number }), (points) => attempt(async () => {
      const state = await api('POST', `/games/${this.state.id}/correct`, {
        round: round.number, seat: seat.id, points, version: this.state.version });
      say(t('sheet.corrected', { name: seat.name, before: round.points[seat.id], after: points }));
      this.update(state);
    }).then(() => undefined), t('sheet.stands', { points: round.points[seat.id] }));
  }

  takeAway() {
    const base = `/api/games/${this.state.id}/sheet`;
    return h('div.row', {}, button(t('sheet.picture'), () => import('./share.js').then(({ share }) => share(this.state))),
      h('a.button', { href: `${base}.csv`, download: 'score-sheet.csv' }, t('sheet.csv')),
      h('a.button', { href: `${base}.json`, download: 'score-sheet.json' }, t('sheet.json')));
  }
}

export function podium(state) {
  const { places, over, rounds, winners } = state.sheet;
  const last = rounds.at(-1);
  return h('section.podium', {},
    h('h2', {}, over ? t('sheet.winner', { count: winners.length, names: winners.map((id) => seatOf(state, id).name).join(' & ') })
      : t('sheet.after', { round: last.number, of: state.sheet.planned })),
    h('ol.places', {}, places.map((place) => {
      const seat = seatOf(state, place.seat);
      const moved = place.moved > 0 ? h('span.up', { 'aria-label': t('sheet.up', { count: place.moved }) }, `▲${place.moved}`)
        : place.moved < 0 ? h('span.down', { 'aria-label': t('sheet.down', { count: -place.moved }) }, `▼${-place.moved}`) : null;
      return h('li', { class: place.rank === 1 ? 'first' : '' }, h('span.rank', {}, place.rank), badge(seat), h('span.name', {}, h('bdi', {}, seat.name)), moved,
        h('span.this-round', {}, last.points[place.seat] === undefined ? '' : `+${last.points[place.seat]}`), h('span.number', {}, place.total));
    })));
}

export function nextRound(state) {
  const { round } = state;
  if (round.over) return null;
  const who = round.starter ? t('round.starts', { name: seatOf(state, round.starter).name })
    : round.double === null ? t('round.highest') : t(`round.${round.source}`, { double: `${round.double}\u2011${round.double}` });
  return h('section.next-round', {}, round.double === null ? null : domino([round.double, round.double]),
    h('div', {}, h('h2', {}, t('round.title', { round: round.number, of: round.of })), h('p', {}, who),
      round.hand ? h('p.muted', {}, t('round.deal', { hand: round.hand, boneyard: round.boneyard })) : null));
}

function ties(state) {
  const lines = state.sheet.ties.map((tie) => {
    const params = { upper: seatOf(state, tie.upper).name, lower: seatOf(state, tie.lower).name, total: tie.total,
      a: tie.by === 'lowest_round' ? tie.lowest[0] : tie.zeros[0], b: tie.by === 'lowest_round' ? tie.lowest[1] : tie.zeros[1] };
    return h('p', {}, t(`tie.${tie.by}`, params));
  });
  return lines.length ? h('section.notice', {}, lines) : null;
}

/** Table, hands and boneyard should make up the set. */
function unaccounted(state) {
  const count = state.sheet.rounds.at(-1)?.unaccounted;
  return count ? h('p.notice', {}, t(count > 0 ? 'sheet.missing' : 'sheet.too_many', { count: Math.abs(count) })) : null;
}

/** Totals over the rounds: a line each, told apart by colour, dash and shape. */
export function chart(state) {
  const { rounds } = state.sheet;
  const [width, height, left, bottom] = [640, 320, 44, 30];
  const most = Math.max(10, ...Object.values(rounds.at(-1).totals));
  const x = (index) => left + (index * (width - left - 140)) / Math.max(1, rounds.length);
  const y = (total) => 12 + (1 - total / most) * (height - bottom - 20);
  const steps = [0, 0.5, 1].map((part) => Math.round(most * part));
  const ends = [];
  const lines = state.sheet.players.map((seat, index) => {
    const points = course(seat, rounds);
    if (!points.length) return null;
    ends.push({ seat, y: y(points.at(-1)[1]), total: points.at(-1)[1] });
    const dash = ['', '8 4', '2 4', '10 3 2 3'][index % 4];
    return h('g', {}, h('polyline', { points: points.map(([at, total]) => `${x(at)},${y(total)}`).join(' '), fill: 'none',
      stroke: colourOf(seat), 'stroke-width': 3.5, 'stroke-dasharray': dash, 'stroke-linejoin': 'round' }),
    points.filter(([at]) => at > 0).map(([at, total]) => h('path', { d: shapePath(seat.shape), fill: colourOf(seat),
      transform: `translate(${x(at) - 6} ${y(total) - 6}) scale(0.12)` })));
  });
  spread(ends, 22, height - bottom);
  return h('figure.chart', {}, h('figcaption', {}, t('sheet.chart')),
    h('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': ends.map(({ seat, total }) => `${seat.name} ${total}`).join(', ') },
      steps.map((step) => h('g.grid', {}, h('line', { x1: left, x2: width - 134, y1: y(step), y2: y(step) }),
        h('text', { x: left - 8, y: y(step) + 5, 'text-anchor': 'end' }, step))),
      rounds.map((round, index) => h('text.grid', { x: x(index + 1), y: height - 6, 'text-anchor': 'middle' }, round.number)),
      lines.filter(Boolean), ends.map(({ seat, y: at }) => h('text.label', { x: x(rounds.length) + 14, y: at + 6, fill: colourOf(seat) }, short(seat.name, innerWidth > 600 ? 11 : 8)))));
}

/** `[round, total]` from where somebody came in to where they left. */
function course(player, rounds) {
  const points = rounds.map((round, index) => [index + 1, round.totals[player.id]]).filter(([, total]) => total !== undefined);
  while (points.length && rounds[points.at(-1)[0] - 1].points[player.id] === undefined && player.gone) points.pop();
  return points.length && points[0][0] === 1 && rounds[0].points[player.id] !== undefined ? [[0, 0], ...points] : points;
}

/** Labels that would lie on each other are moved apart, within the picture. */
function spread(ends, apart, lowest) {
  ends.sort((a, b) => a.y - b.y);
  for (let index = 1; index < ends.length; index += 1) ends[index].y = Math.max(ends[index].y, ends[index - 1].y + apart);
  let limit = lowest;
  for (const end of ends.toReversed()) {
    end.y = Math.min(end.y, limit);
    limit = end.y - apart;
  }
}
