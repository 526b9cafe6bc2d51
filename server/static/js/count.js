// A hand on its own: count it, or find the best first line in it. No game needed.

import { api, attempt, button, h, recall, remember, t } from './lib.js';
import { coachFor } from './coach.js';
import { HandCounter } from './hand.js';
import { Line } from './live.js';

export async function show(main) {
  main.className = 'page count';
  let id = recall('loose');
  let state = id ? await api('GET', `/games/${id}`).catch(() => null) : null; // the server forgot it, or never knew it
  if (!state) {
    const made = await attempt(() => api('POST', '/loose', {}));
    if (!made) return null;
    id = made.id;
    remember('loose', id);
    state = await api('GET', `/games/${id}`);
  }
  const place = h('div', {});
  main.append(h('h1', {}, t('home.count')), place);
  const counter = new HandCounter(place, state, 'A', { loose: true });
  const coach = button(t('coach.title'), () => coachFor(counter.draft.data.tiles, state.rules.set_size), 'quiet-accent');
  main.append(coach);
  const line = new Line(id, { onstate: (fresh) => { state = fresh; counter.update(fresh); }, ongone: () => { remember('loose', null); location.reload(); }, online: () => {} });
  return () => line.close();
}
