// What is kept, where, and how it is forgotten.

import { h, t } from './lib.js';

export async function show(main) {
  main.className = 'page';
  main.append(h('h1', {}, t('privacy')), ...['where', 'photos', 'who', 'camera', 'forget'].map((part) => h('p.lead', {}, t(`privacy.${part}`))));
}
