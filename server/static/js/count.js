// A hand on its own: count it, or find the best first line in it. No game needed.

import { api, attempt, button, h, recall, remember, t } from './lib.js';
import { coachFor } from './coach.js';
import { HandCounter } from './hand.js';
import { Line } from './live.js';
import { SET_SIZES, setsChoice } from './rules.js';

export async function show(main) {
  main.className = 'page count';
  let id = recall('loose');
  let state = id ? await api('GET', `/games/${id}`).catch(() => null) : null; // the server forgot it, or never knew it
  if (!state) {
    const made = await attempt(() => api('POST', '/loose', recall('loose-rules') || {}));
    if (!made) return null;
    id = made.id;
    remember('loose', id);
    state = await api('GET', `/games/${id}`);
  }
  const place = h('div', {});
  main.append(h('h1', {}, t('home.count')), place);
  const counter = new HandCounter(place, state, 'A', { loose: true });
  const coach = button(t('coach.title'), () => coachFor(counter.draft.data.tiles, state.rules.set_size), 'quiet-accent');
  let before = Promise.resolve(); // one after the other, each on what the last one left
  const change = (rules) => { before = before.then(() => attempt(async () => {
    remember('loose-rules', rules);
    state = await api('POST', `/games/${id}/rules`, { preset: 'published_default', mixed: rules.mixed, version: state.version,
      changes: { set_size: rules.set_size, double_blank: rules.double_blank } });
    counter.update(state);
  })); };
  main.append(coach, ownSet(state.rules, change));
  const line = new Line(id, { onstate: (fresh) => { state = fresh; counter.update(fresh); }, ongone: () => { remember('loose', null); location.reload(); }, online: () => {} });
  return () => line.close();
}

/** Which tiles are counted: the set, one or two of it, and what the double-blank counts. */
function ownSet(known, change) {
  const wish = { set_size: known.set_size, mixed: known.mixed, double_blank: known.tile_points['0-0'] };
  const choice = (legend, name, values, text) => h('fieldset.choice', {}, h('legend', {}, legend), values.map((value) => h('label', {},
    h('input', { type: 'radio', name, checked: value === wish[name], onchange: () => { wish[name] = value; change({ ...wish }); } }), text(value))));
  return h('details', {}, h('summary', {}, t('count.set')),
    choice(t('new.set'), 'set_size', SET_SIZES, (size) => t('new.double', { size })),
    setsChoice(wish, { onchange: () => change({ ...wish }), game: false }),
    choice(t('q.double_blank'), 'double_blank', [0, 25, 50], String),
    h('p.hint', {}, t('count.set.why')));
}
