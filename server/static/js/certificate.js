// How to let a phone trust the certificate of this computer.

import { h, t } from './lib.js';

export async function show(main) {
  main.className = 'page';
  main.append(h('h1', {}, t('certificate')), h('p.lead', {}, t('certificate.why')),
    h('p', {}, h('a.button.main', { href: '/certificate.crt' }, t('certificate.get'))),
    ...['iphone', 'android'].map((phone) => h('section.block', {}, h('h2', {}, t(`certificate.${phone}`)),
      h('ol', {}, [1, 2, 3, 4].map((step) => h('li', {}, t(`certificate.${phone}.${step}`)))))));
}
