// A new game: who plays, by which rules, how long. Everything has a sensible answer already.

import { api, attempt, button, go, h, recall, remember, t } from './lib.js';
import { badge, COLOURS, shapeNames } from './badge.js';
import { playerEditor } from './players.js';
import { rulesCatalogue, rulesForm, SET_SIZES, setsChoice } from './rules.js';
import { Seating } from './seating.js';

export async function show(main) {
  main.className = 'page new-game';
  const catalogue = await rulesCatalogue();
  const colours = Object.keys(COLOURS);
  const wish = { preset: 'published_default', changes: {}, rounds: null, one_phone: false, mixed: false, card: 'published',
    seats: (recall('players') || ['', '']).map((name, index) => ({ name, colour: colours[index], shape: shapeNames[index] })) };
  const rules = rulesForm(catalogue, wish, () => { wish.card = null; cards(); });
  const seatPlace = h('div', {});
  const cardPlace = h('div.cards', {});
  const lengthPlace = h('div', {});

  const field = (seat, index) => [
    button(badge(seat), () => playerEditor(seat, (changed) => { Object.assign(seat, changed); draw(); }, { others: wish.seats.filter((other) => other !== seat) }), 'plain', { 'aria-label': t('seat.mark') }),
    h('input', { value: seat.name, maxlength: 24, placeholder: t('new.player', { number: index + 1 }), 'aria-label': t('new.player', { number: index + 1 }),
      autocomplete: 'off', dir: 'auto', oninput: (event) => { seat.name = event.target.value; seating.drawTable(); } }),
    wish.seats.length > 2 ? button('✕', () => { wish.seats.splice(wish.seats.indexOf(seat), 1); draw(); }, 'small', { 'aria-label': t('new.remove') }) : null];
  const seating = new Seating(wish.seats, { row: field });
  const draw = () => {
    seating.draw();
    adding.hidden = wish.seats.length >= 10;
  };
  const adding = button(t('new.add'), () => {
    const free = (kind, known) => known.find((one) => !wish.seats.some((seat) => seat[kind] === one));
    wish.seats.push({ name: '', colour: free('colour', colours), shape: free('shape', shapeNames) });
    draw();
    seating.list.querySelector('li:last-child input').focus();
  });
  seatPlace.append(seating.place, h('p.hint', {}, t('new.clockwise')), adding);
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
      choice(t('new.set'), SET_SIZES, setSize(), (size) => t('new.double', { size }), (size) => { wish.changes = { ...wish.changes, set_size: size }; if (wish.rounds > size + 1) wish.rounds = null; length(); }),
      setsChoice(wish));
  };
  const choice = (label, values, current, name, pick) => h('fieldset.choice', {}, h('legend', {}, label), values.map((value) => h('label', {},
    h('input', { type: 'radio', name: label, checked: value === current, onchange: () => pick(value) }), name(value))));

  draw();
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
      rounds: wish.rounds, one_phone: wish.one_phone, mixed: wish.mixed });
    go(`/g/${id}/now`);
  });
}
