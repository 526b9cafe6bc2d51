// A new game: who plays, by which rules, how long. Everything has a sensible answer already.

import { api, attempt, button, go, h, recall, remember, t } from './lib.js';
import { badge, COLOURS, shapeNames } from './badge.js';
import { rulesCatalogue, rulesForm } from './rules.js';

const SETS = [6, 9, 12, 15, 18];

export async function show(main) {
  main.className = 'page new-game';
  const catalogue = await rulesCatalogue();
  const colours = Object.keys(COLOURS);
  const wish = { preset: 'published_default', changes: {}, rounds: null, one_phone: false, card: 'published',
    seats: (recall('players') || ['', '']).map((name, index) => ({ name, colour: colours[index], shape: shapeNames[index] })) };
  const rules = rulesForm(catalogue, wish, () => { wish.card = null; cards(); });
  const seatPlace = h('div', {});
  const cardPlace = h('div.cards', {});
  const lengthPlace = h('div', {});

  const move = (index, by) => {
    const [seat] = wish.seats.splice(index, 1);
    wish.seats.splice((index + by + wish.seats.length + 1) % (wish.seats.length + 1), 0, seat);
    seats();
  };
  const seats = () => seatPlace.replaceChildren(
    h('div.seating', {}, drawing(wish.seats), h('ol.seat-list', {}, wish.seats.map((seat, index) => h('li', {}, badge(seat),
      h('input', { value: seat.name, maxlength: 24, placeholder: t('new.player', { number: index + 1 }), 'aria-label': t('new.player', { number: index + 1 }),
        autocomplete: 'off', oninput: (event) => { seat.name = event.target.value; } }),
      button('↑', () => move(index, -1), 'small', { 'aria-label': t('new.up') }),
      wish.seats.length > 2 ? button('✕', () => { wish.seats.splice(index, 1); seats(); }, 'small', { 'aria-label': t('new.remove') }) : null)))),
    h('p.hint', {}, t('new.clockwise')),
    wish.seats.length < 10 ? button(t('new.add'), () => {
      const colour = colours.find((one) => !wish.seats.some((seat) => seat.colour === one));
      const shape = shapeNames.find((one) => !wish.seats.some((seat) => seat.shape === one));
      wish.seats.push({ name: '', colour, shape });
      seats();
      seatPlace.querySelector('li:last-child input').focus();
    }) : '');
  const cards = () => cardPlace.replaceChildren(...catalogue.cards.map((card) => h('button.card', { type: 'button', 'aria-pressed': String(card.name === wish.card),
    class: card.name === wish.card ? 'chosen' : '', onclick: () => {
      Object.assign(wish, { card: card.name, preset: card.preset, changes: { ...card.changes }, rounds: card.rounds });
      cards();
      rules.draw();
      length();
    } }, h('strong', {}, t(`card.${card.name}`)), h('span', {}, t(`card.${card.name}.why`)))));
  const setSize = () => wish.changes.set_size ?? catalogue.presets.find((one) => one.name === wish.preset)?.changes.set_size ?? 12;
  const length = () => {
    const full = setSize() + 1;
    const offered = [...new Set([full, 7, 5, 3].filter((rounds) => rounds <= full))];
    lengthPlace.replaceChildren(
      choice(t('new.rounds'), offered, wish.rounds ?? full, (rounds) => (rounds === full ? t('new.full', { count: full }) : String(rounds)), (rounds) => { wish.rounds = rounds === full ? null : rounds; }),
      choice(t('new.set'), SETS, setSize(), (size) => t('new.double', { size }), (size) => { wish.changes = { ...wish.changes, set_size: size }; if (wish.rounds > size + 1) wish.rounds = null; length(); }));
  };
  const choice = (label, values, current, name, pick) => h('fieldset.choice', {}, h('legend', {}, label), values.map((value) => h('label', {},
    h('input', { type: 'radio', name: label, checked: value === current, onchange: () => pick(value) }), name(value))));

  seats();
  cards();
  length();
  main.append(h('h1', {}, t('new.title')),
    h('form.stack', { onsubmit: (event) => { event.preventDefault(); create(wish); } },
      h('label.field', {}, t('new.name'), h('input', { maxlength: 60, autocomplete: 'off', placeholder: t('new.name.example'), oninput: (event) => { wish.title = event.target.value; } })),
      h('section', {}, h('h2', {}, t('new.players')), seatPlace),
      h('section', {}, h('h2', {}, t('new.phones')), choice(t('new.phones.label'), [false, true], false, (one) => t(one ? 'new.one_phone' : 'new.own_phones'), (one) => { wish.one_phone = one; })),
      h('section', {}, h('h2', {}, t('new.rules')), cardPlace, lengthPlace, h('details', {}, h('summary', {}, t('new.questions')), rules.place)),
      h('div.row.sticky', {}, h('button.main.huge', { type: 'submit' }, t('new.start')))));
}

async function create(wish) {
  const seats = wish.seats.map((seat, index) => ({ ...seat, name: seat.name.trim() || t('new.player', { number: index + 1 }) }));
  remember('players', wish.seats.map((seat) => seat.name));
  await attempt(async () => {
    const { id } = await api('POST', '/games', { title: wish.title || '', seats, preset: wish.preset, changes: wish.changes,
      rounds: wish.rounds, one_phone: wish.one_phone });
    go(`/g/${id}/now`);
  });
}

/** The table from above, seats clockwise. */
function drawing(seats) {
  return h('svg.round-table', { viewBox: '0 0 200 200', 'aria-hidden': 'true' },
    h('circle', { cx: 100, cy: 100, r: 58, class: 'wood' }),
    seats.map((seat, index) => {
      const angle = (2 * Math.PI * index) / seats.length - Math.PI / 2;
      const mark = badge(seat);
      mark.setAttribute('x', 100 + 80 * Math.cos(angle) - 16);
      mark.setAttribute('y', 100 + 80 * Math.sin(angle) - 16);
      mark.setAttribute('width', 32);
      mark.setAttribute('height', 32);
      return mark;
    }));
}
