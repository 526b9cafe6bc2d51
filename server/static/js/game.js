// A game: the frame around its four tabs, kept true by the line to the server.

import { api, attempt, button, go, h, link, Offline, recall, Refused, say, t } from './lib.js';
import { HandTab } from './hand.js';
import { Line, overtaken, whenLifted } from './live.js';
import { NowTab } from './now.js';
import { forgetKept } from './pending.js';
import { Reminder } from './reminder.js';
import { SheetTab } from './sheet.js';

// The last tab is seldom the first to be opened: its code is fetched when it is wanted or once the page has come to rest.
const TABS = { now: NowTab, hand: HandTab, sheet: SheetTab, more: null };
const RESTED_MS = 4000;
let frame = null;

async function fetchMore() {
  const found = await import('./more.js').catch(() => { throw new Offline(t('offline')); });
  TABS.more = found.MoreTab;
}

class Frame {
  constructor(main, id) {
    this.id = id;
    this.main = main;
    main.className = 'game';
    this.tabs = h('nav.tabs', { 'aria-label': t('tabs') });
    this.notice = h('div.offline', { hidden: true, role: 'status' }, t('offline'));
    this.place = h('div.tab', {});
    this.reminder = new Reminder(() => this.name);
    this.heading = h('h1.unseen', {});
    main.append(this.tabs, this.heading, this.notice, this.place);
    main.addEventListener('forgetting', ({ detail }) => { this.forgetting = detail; });
    main.addEventListener('accepted', (event) => {
      const before = this.state.sheet.rounds.length;
      this.take(event.detail);
      if (this.state.sheet.rounds.length > before) go(`/g/${this.id}/sheet`);
    });
  }

  start(state) {
    this.state = state;
    this.open(this.wanted || (state.kind === 'loose' ? 'hand' : 'now'), this.argument);
    this.awake = () => this.stayAwake();
    document.addEventListener('visibilitychange', this.awake);
    this.awake();
    this.resting = setTimeout(() => fetchMore().catch(() => {}), RESTED_MS); // so that it is there without Wi-Fi, too
    if (recall(`lend:${this.id}`)) import('./owncam.js').then((own) => own.again(this.id));
    this.line = new Line(this.id, {
      onstate: (fresh) => this.take(fresh),
      ongone: () => {
        forgetKept(this.id);
        if (this.forgetting) return; // whoever forgets an evening is not told that it is gone
        say(t('gone'), 'bad');
        go('/');
      },
      online: (on) => { this.notice.hidden = on; },
    });
  }

  take(state) {
    if (overtaken(state, this.state)) return;
    this.finished ||= this.state && state.sheet.rounds.length > this.state.sheet.rounds.length;
    this.state = state;
    document.title = `${state.title || 'Mexican Train'} · Stationmaster`;
    document.querySelector('.place').textContent = state.title;
    this.drawTabs();
    this.reminder.update(state);
    // A page must not be redrawn under somebody's fingers; it catches up when the dialog closes.
    const typing = this.place.contains(document.activeElement) && document.activeElement.matches('input, select, textarea');
    if (typing || document.querySelector('dialog.sheet[open]')) { this.behind = true; this.catchUp(); return; }
    this.tab?.update(state);
    const { finished } = this;
    this.finished = false;
    if (finished && this.name === 'hand') go(`/g/${this.id}/sheet`);
  }

  catchUp() {
    clearTimeout(this.later);
    this.later = setTimeout(() => whenLifted(() => { if (this.behind) { this.behind = false; this.take(this.state); } }), 400);
  }

  open(name, argument) {
    this.name = name in TABS ? name : 'now';
    this.tab?.close?.();
    this.tab = null;
    this.place.replaceChildren();
    this.place.className = `tab tab-${this.name}`;
    this.heading.textContent = t(`tab.${this.name}`);
    this.drawTabs();
    scrollTo(0, 0);
    if (TABS[this.name]) this.fill(argument);
    else attempt(async () => { await fetchMore(); if (!this.closed && this.name === 'more' && !this.tab) this.fill(argument); });
  }

  fill(argument) {
    this.tab = new TABS[this.name](this.place, this.state, argument);
  }

  drawTabs() {
    const hands = Object.values(this.state.hands);
    const counting = hands.some((hand) => hand.state !== 'waiting') && this.state.hands[this.state.you.seat]?.state === 'waiting';
    this.tabs.replaceChildren(...Object.keys(TABS).map((name) => {
      const tab = link(`/g/${this.id}/${name}`, h('span.mark', { 'aria-hidden': 'true' }, { now: '◉', hand: '▣', sheet: '≣', more: '⋯' }[name]), t(`tab.${name}`));
      if (name === this.name) tab.setAttribute('aria-current', 'page');
      if (name === 'hand' && counting) tab.classList.add('calls');
      if (name === 'more' && this.state.claims.length) tab.classList.add('calls');
      return tab;
    }));
  }

  /** Keep the screen on while the game is open, where the browser allows it (secure origins only). */
  async stayAwake() {
    if (document.visibilityState === 'visible') this.lock = await navigator.wakeLock?.request('screen').catch(() => null);
  }

  close() {
    document.removeEventListener('visibilitychange', this.awake);
    this.lock?.release();
    this.line?.close();
    clearTimeout(this.later);
    clearTimeout(this.resting);
    this.closed = true;
    this.reminder.close();
    this.tab?.close?.();
    if (recall(`lend:${this.id}`)) import('./owncam.js').then((own) => own.pause(this.id));
    document.querySelector('.place').textContent = '';
    document.title = 'Stationmaster';
  }
}

export async function show(main, [, id, tab, argument]) {
  frame = new Frame(main, id);
  frame.wanted = tab;
  frame.argument = argument;
  try {
    frame.start(await api('GET', `/games/${id}`));
  } catch (error) {
    if (!(error instanceof Refused)) { frame.notice.hidden = false; setTimeout(() => go(location.pathname), 2000); return null; }
    await stranger(main, id, error);
  }
  return () => frame.close();
}

export function move([, id, tab, argument]) {
  if (frame.id !== id || !frame.state) { location.reload(); return; }
  frame.open(tab || 'now', argument);
}

/** This device did not join: by the code; or, at the server's own computer, as its host again. */
async function stranger(main, id, error) {
  const { local, games } = await api('GET', '/games');
  forgetKept(id);
  const exists = !local || games.some((game) => game.id === id);
  main.className = 'page';
  main.replaceChildren(h('h1', {}, t(exists ? 'stranger.title' : 'stranger.gone')), h('p.lead', {}, exists ? error.message : t('problem.no_game')), h('div.row', {},
    link('/join', t('home.join')),
    local && exists && error.code === 'not_joined' ? button(t('stranger.host'), () => attempt(async () => {
      await api('POST', `/games/${id}/host`);
      location.reload();
    }), 'main') : null));
}
