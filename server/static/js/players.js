// A player's name, colour and shape; coming late, going home, coming back.

import { button, confirmed, h, sheet, t } from './lib.js';
import { badge, COLOURS, shapeNames } from './badge.js';
import { Seating } from './seating.js';

/** Change a player. What the `others` have can't be chosen. `leave` is offered to the host. */
export function playerEditor(player, done, { others = [], leave = null } = {}) {
  const wish = { name: player.name, colour: player.colour, shape: player.shape };
  sheet(t('player.title'), (close) => {
    const shown = h('div.centred', {});
    const kinds = h('div.stack', {});
    const swatches = (kind, values, look) => h('div.swatches', { role: 'group', 'aria-label': t(`player.${kind}`) }, values.map((value) => h('button', {
      type: 'button', class: wish[kind] === value ? 'swatch chosen' : 'swatch', 'aria-label': t(`${kind}.${value}`), 'aria-pressed': String(wish[kind] === value),
      disabled: others.some((other) => other[kind] === value), onclick: () => { wish[kind] = value; show(); kinds.querySelector('[aria-pressed="true"]').focus(); } }, badge(look(value)))));
    const show = () => {
      shown.replaceChildren(badge(wish, 'huge'));
      kinds.replaceChildren(swatches('colour', Object.keys(COLOURS), (colour) => ({ colour, shape: 'circle' })),
        swatches('shape', shapeNames, (shape) => ({ colour: 'grey', shape })));
    };
    show();
    return h('form.stack', { onsubmit: (event) => { event.preventDefault(); done(wish); close(); } }, shown,
      h('label.field', {}, t('player.name'), h('input', { value: wish.name, maxlength: 24, autocomplete: 'off', dir: 'auto',
        oninput: (event) => { wish.name = event.target.value; } })),
      kinds, h('div.row', {}, h('button.main', { type: 'submit' }, t('save')), button(t('cancel'), close)),
      leave ? button(t('player.leave', { name: player.name }), () => { close(); leave(); }, 'danger') : null);
  });
}

/** Another order round the table. `done(ids)` gets it. */
export function seatOrder(state, done) {
  const seats = [...state.seats];
  sheet(t('seat.order'), (close) => [new Seating(seats, { row: (seat) => [badge(seat), h('span.grow', {}, h('bdi', {}, seat.name))] }).place,
    h('p.hint', {}, t('new.clockwise')),
    h('div.row.sticky', {}, button(t('save'), () => { done(seats.map((seat) => seat.id)); close(); }, 'main'), button(t('cancel'), close))]);
}

/** Somebody comes late. `done({name, after, points})` gets who, where, and the points for the rounds missed. */
export function lateComer(state, done) {
  const wish = { name: '', after: state.seats.at(-1).id, points: 0 };
  sheet(t('player.add'), (close) => h('form.stack', { onsubmit: (event) => { event.preventDefault(); done(wish); close(); } },
    h('label.field', {}, t('player.name'), h('input', { maxlength: 24, required: true, autocomplete: 'off', dir: 'auto', oninput: (event) => { wish.name = event.target.value; } })),
    h('label.field', {}, t('player.after'), h('select', { onchange: (event) => { wish.after = event.target.value; } },
      state.seats.map((seat) => h('option', { value: seat.id, selected: seat.id === wish.after }, seat.name)))),
    missed(state, wish),
    h('div.row', {}, h('button.main', { type: 'submit' }, t('player.add')), button(t('cancel'), close))));
}

/** Somebody who left is back. */
export function comesBack(state, player, done) {
  const wish = { points: 0 };
  const rounds = state.sheet.rounds.filter((round) => round.points[player.id] === undefined);
  if (!rounds.length) { done(wish); return; }
  sheet(t('player.back', { name: player.name }), (close) => h('form.stack', { onsubmit: (event) => { event.preventDefault(); done(wish); close(); } },
    missed(state, wish, rounds), h('div.row', {}, h('button.main', { type: 'submit' }, t('player.back', { name: player.name })), button(t('cancel'), close))));
}

export const goesHome = (name) => confirmed(t('player.leave.sure', { name }), t('player.leave', { name }), true);

/** Points for rounds that somebody missed: none, what the others got on average, or as many as the worst. */
function missed(state, wish, rounds = state.sheet.rounds) {
  if (!rounds.length) return null;
  const got = state.seats.map((seat) => rounds.reduce((sum, round) => sum + (round.points[seat.id] ?? 0), 0));
  const offers = { none: 0, average: Math.round(got.reduce((sum, one) => sum + one, 0) / got.length), most: Math.max(...got) };
  wish.points = offers.average;
  return h('fieldset.choice', {}, h('legend', {}, t('player.missed', { count: rounds.length })), Object.entries(offers).map(([name, points]) => h('label', {},
    h('input', { type: 'radio', name: 'missed', checked: name === 'average', onchange: () => { wish.points = points; } }), t(`player.missed.${name}`, { points }))));
}
