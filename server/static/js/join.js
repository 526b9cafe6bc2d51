// Joining: the QR code leads here with the letters filled in; otherwise they are typed.

import { api, attempt, button, go, h, hush, t } from './lib.js';
import { badge } from './badge.js';

export async function show(main, [, code]) {
  main.className = 'page join';
  if (code) await lobby(main, code.toUpperCase());
  else ask(main);
}

function ask(main, wrong = '') {
  const input = h('input.letters', { maxlength: 6, autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', inputmode: 'text',
    'aria-label': t('join.code'), value: wrong, oninput: () => { input.value = input.value.toUpperCase().replace(/[^A-Z]/g, ''); if (input.value.length === 6) submit(); } });
  let asked = null; // a sixth letter asks by itself, and the button may be tapped too
  const submit = () => { asked ??= lobby(main, input.value); };
  main.replaceChildren(h('h1', {}, t('join.title')), h('p.lead', {}, t('join.how')),
    h('form.stack', { onsubmit: (event) => { event.preventDefault(); submit(); } }, input, h('button.main.huge', { type: 'submit' }, t('join.go'))));
  input.focus();
}

async function lobby(main, code) {
  const game = await attempt(() => api('POST', '/lobby', { code }));
  if (!game) { ask(main, code); return; }
  hush();
  const join = (seat) => attempt(async () => {
    const { id } = await api('POST', '/join', { code, seat });
    go(`/g/${id}/now`);
  });
  if (game.joined) { go(`/g/${game.id}/now`); return; }
  main.replaceChildren(h('h1', {}, game.title || t('join.title')), h('p.lead', {}, t('join.who')),
    h('div.stack', {}, game.seats.map((seat) => button([badge(seat), h('span', {}, t('join.i_am', { name: seat.name })),
      seat.device ? h('small', {}, t('join.taken')) : null], () => join(seat.id), 'seat-choice'))),
    button(t('join.watch'), () => join(null)));
}
