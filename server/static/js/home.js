// The first page: a new game, a game to join, a hand to count, evenings that were.

import { api, attempt, h, link, t } from './lib.js';
import { domino } from './domino.js';

export async function show(main) {
  main.className = 'home';
  const going = h('section', {});
  main.append(
    h('div.hero', {}, h('div.fan', { 'aria-hidden': 'true' }, domino([12, 12]), domino([5, 12]), domino([3, 7])),
      h('h1', {}, t('home.title')), h('p.lead', {}, t('home.lead'))),
    h('nav.big-links', { 'aria-label': t('home.title') },
      card('/new', t('home.new'), t('home.new.why'), 'main'),
      card('/join', t('home.join'), t('home.join.why')),
      card('/count', t('home.count'), t('home.count.why')),
      card('/past', t('home.past'), t('home.past.why'))),
    going);
  const known = await attempt(() => api('GET', '/games'));
  const open = (known?.games || []).filter((game) => !game.over).slice(0, 2);
  if (open.length) {
    going.append(h('h2', {}, t('home.going')), ...open.map((game) => {
      const entry = link(`/g/${game.id}`, h('strong', {}, game.title || game.players.map((p) => p.name).join(', ')),
        h('span.muted', {}, t('home.round', { round: Math.min(game.round + 1, game.of), of: game.of })));
      entry.classList.add('entry');
      return entry;
    }));
  }
}

function card(path, title, why, kind = '') {
  const made = link(path, h('strong', {}, title), h('span', {}, why));
  made.className = `card ${kind}`;
  return made;
}
