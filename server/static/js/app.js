// Starts the page: language, light or dark, and which page this address is.

import { button, go, h, language, link, loadTexts, Offline, recall, remember, sheet, t } from './lib.js';

const PAGES = [
  [/^\/$/, () => import('./home.js')],
  [/^\/new$/, () => import('./newgame.js')],
  [/^\/join$/, () => import('./join.js')],
  [/^\/j\/([A-Za-z]*)$/, () => import('./join.js')],
  [/^\/count$/, () => import('./count.js')],
  [/^\/past$/, () => import('./past.js')],
  [/^\/privacy$/, () => import('./privacy.js')],
  [/^\/certificate$/, () => import('./certificate.js')],
  [/^\/g\/([0-9a-f]{16})(?:\/(\w+))?(?:\/(\w+))?$/, () => import('./game.js')],
];

let leave = null;
let shown = null;

async function show() {
  const address = location.pathname;
  document.querySelectorAll('dialog[open]').forEach((dialog) => dialog.close()); // what it was about is left
  for (const [pattern, load] of PAGES) {
    const match = pattern.exec(address);
    if (!match) continue;
    const page = await load();
    if (leave && shown === page && page.move) { page.move(match); return; }
    leave?.();
    leave = null;
    shown = page;
    const main = document.getElementById('main');
    main.className = '';
    main.replaceChildren();
    try {
      leave = (await page.show(main, match)) || null;
    } catch (error) {
      if (!(error instanceof Offline)) throw error;
      main.className = 'page';
      main.replaceChildren(h('div.offline', { role: 'status' }, t('offline.page')), button(t('offline.again'), show, 'main'));
    }
    return;
  }
  go('/');
}

function theme(name) {
  document.documentElement.dataset.theme = name || 'auto';
  remember('theme', name);
}

function size(name) {
  document.documentElement.dataset.size = name || 'normal';
  remember('size', name);
}

function settings() {
  const choice = (label, options, current, choose) => h('fieldset.choice', {}, h('legend', {}, label),
    options.map(([value, text]) => h('label', {},
      h('input', { type: 'radio', name: label, value, checked: value === current, onchange: () => choose(value) }), text)));
  sheet(t('settings'), () => [
    choice(t('settings.language'), [['en', 'English'], ['fr', 'Français'], ['es', 'Español']], language,
      (value) => { remember('language', value); location.reload(); }),
    choice(t('settings.theme'), [['auto', t('settings.auto')], ['light', t('settings.light')], ['dark', t('settings.dark')]],
      recall('theme') || 'auto', theme),
    choice(t('settings.size'), [['normal', t('settings.normal')], ['big', t('settings.big')]], recall('size') || 'normal', size),
    h('p', {}, link('/privacy', t('privacy'))),
  ]);
}

function frame() {
  document.querySelector('.skip').textContent = t('skip');
  document.getElementById('top').replaceChildren(
    link('/', h('img', { src: '/static/icon.svg', alt: '', width: 28, height: 28 }), h('span', {}, 'Stationmaster')),
    h('span.place', {}),
    h('button.plain', { type: 'button', 'aria-label': t('settings'), onclick: settings }, 'Aa'));
}

theme(recall('theme'));
size(recall('size'));
await loadTexts(recall('language') || document.documentElement.lang || 'en');
frame();
addEventListener('popstate', show);
await show();

/** Where the origin is secure the shell is kept on the device; over plain HTTP everything works without. */
if ('serviceWorker' in navigator && isSecureContext) {
  const keep = () => navigator.serviceWorker.register('/sw.js').catch(() => {}); // a certificate that is not trusted
  if (document.readyState === 'complete') keep();
  else addEventListener('load', keep);
}
