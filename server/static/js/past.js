// Evenings that were, and those that go on.

import { api, attempt, h, language, link, t } from './lib.js';
import { badge } from './badge.js';

export async function show(main) {
  main.className = 'page';
  const list = h('div.stack', {});
  main.append(h('h1', {}, t('home.past')), list);
  const known = await attempt(() => api('GET', '/games'));
  if (!known) return;
  if (!known.games.length) list.append(h('p.lead', {}, t('past.none')));
  for (const game of known.games) {
    const entry = link(`/g/${game.id}/sheet`,
      h('strong', {}, game.title || 'Mexican Train'),
      h('span.muted', {}, `${new Date(game.at).toLocaleDateString(language)} · ${game.over ? t('past.over') : t('home.round', { round: game.round + 1, of: game.of })}`),
      h('ul.results', {}, [...game.players].sort((a, b) => a.total - b.total).map((player) => h('li', { class: player.won ? 'won' : '' },
        badge(player), `${player.name} ${player.total}`))));
    entry.classList.add('entry');
    list.append(entry);
  }
}
