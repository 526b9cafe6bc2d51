// What is going on: who joins, which round it is, whose hand is counted; the table when it is followed.

import { api, attempt, button, go, h, t } from './lib.js';
import { badge } from './badge.js';
import { CameraView } from './camera.js';
import { reminder } from './reminder.js';
import { nextRound, podium } from './sheet.js';
import { written } from './domino.js';

export class NowTab {
  constructor(place, state, argument) {
    this.place = place;
    this.begins = argument === 'middle';
    this.update(state);
  }

  update(state) {
    this.state = state;
    if (state.you.waiting) {
      this.place.replaceChildren(h('div.waiting', { role: 'status' }, h('div.bar', {}), h('p', {}, t('join.waiting'))));
      return;
    }
    if (this.begins && canBeTakenUp(state)) { this.drawMiddle(); return; }
    if (this.begins) history.replaceState(null, '', `/g/${state.id}/now`);
    this.middle?.close();
    this.begins = this.middle = null;
    const parts = [...claims(state), reminder(state), ...this.alerts()];
    if (state.table) {
      this.tablePlace ??= h('div', {});
      parts.push(this.tablePlace);
      this.drawTable();
    } else {
      this.table?.close();
      this.table = this.tablePlace = null;
      parts.push(state.round.over ? podium(state) : nextRound(state));
    }
    parts.push(this.seats());
    if (!state.round.over) parts.push(this.actions());
    if (!state.table) parts.push(this.camera());
    if (state.you.host && !state.one_phone && !state.sheet.rounds.length && !state.seats.every((seat) => seat.device) && !state.table) parts.push(this.invitation());
    this.place.replaceChildren(...parts.filter(Boolean));
  }

  /** The table comes with its first use: most pages are opened before there is one. */
  async drawTable() {
    const { TableView } = await import('./table.js');
    if (!this.state.table || !this.tablePlace) return;
    if (this.table) this.table.update(this.state);
    else this.table = new TableView(this.tablePlace, this.state);
  }

  /** A round is taken up in the middle. What stands there stays: news do not draw it anew under somebody's fingers. */
  async drawMiddle() {
    const { MiddleView } = await import('./middle.js');
    if (!this.begins || this.state.table) return;
    if (this.middle) this.middle.update(this.state);
    else {
      this.asking = h('div', {});
      const place = h('div', {});
      this.place.replaceChildren(this.asking, place);
      this.middle = new MiddleView(place, this.state);
    }
    this.asking.replaceChildren(...claims(this.state));
  }

  alerts() {
    return this.state.alerts.map((alert) => h('div.notice.bad', { role: 'alert' }, t('tile_twice.host', {
      tile: written(alert.tile), names: alert.seats.map((id) => this.state.seats.find((seat) => seat.id === id).name).join(', ') })));
  }

  /** Before the first tile the camera is aimed; then it stands beside the drawing of the table. */
  camera() {
    const { state } = this;
    if ((state.round.over || state.rules.mixed) && !state.camera) return null;
    this.view ??= new CameraView();
    this.view.update(state);
    return this.view.place;
  }

  close() {
    this.view?.close();
    this.table?.close();
    this.middle?.close();
  }

  seats() {
    const { state } = this;
    return h('ul.seats', { 'aria-label': t('now.players') }, state.seats.map((seat) => {
      const hand = state.hands[seat.id];
      const note = hand.state === 'done' ? (hand.out ? t('hand.out_short') : t('now.points', { count: hand.points }))
        : hand.state === 'counting' ? t('now.counting') : '';
      return h('li', { class: seat.here || state.one_phone ? '' : 'away' }, badge(seat),
        h('span', {}, h('bdi', {}, seat.name), seat.id === state.you.seat ? h('small', {}, ` ${t('now.you')}`) : null), h('b', {}, note));
    }));
  }

  actions() {
    const { state } = this;
    const player = state.you.host || state.you.seat;
    if (!player) return null;
    return h('div.row', {},
      button(t('now.count'), () => go(`/g/${state.id}/hand`), 'main huge'),
      (state.you.seat || state.one_phone) && !begun(state) ? button(t('coach.title'), () => import('./coach.js').then(({ coachInGame }) => coachInGame(state, state.you.seat || state.seats[0].id))) : null,
      this.followButton(),
      !state.table && state.rules.mixed ? h('p.hint', {}, t('problem.mixed_table')) : null);
  }

  /** Where the hands decide the starting double, only the table can tell it. */
  followButton() {
    const { state } = this;
    if (state.table || state.rules.mixed) return null;
    if (state.round.double !== null) return button(t('table.follow'), () => import('./follow.js').then(({ askStart }) => askStart(state)));
    return canBeTakenUp(state) ? button(t('middle.open'), () => go(`/g/${state.id}/now/middle`)) : null;
  }

  invitation() {
    const box = h('section.invite', {}, h('h2', {}, t('invite.title')));
    if (!this.invite) {
      this.invite = box;
      attempt(async () => {
        const { code, links } = await api('GET', `/games/${this.state.id}/invite`);
        box.append(...invitation(code, links));
      });
    }
    return this.invite;
  }
}

/** A round can be taken up in the middle by whoever plays; the toes of chicken feet can't be told in one picture yet. */
export const canBeTakenUp = ({ table, round, rules, you }) => !table && !round.over && !rules.mixed && rules.changes.double_answers !== 3
  && Boolean(you.host || you.seat);

/** The first line lies already: too late to plan it. */
const begun = ({ table, you }) => Boolean(table?.trains.some((train) => train.tiles.length && (train.id === you.seat || !you.seat)));

export function invitation(code, links) {
  const shown = h('div.qr', {});
  const pick = (index) => {
    const image = new DOMParser().parseFromString(links[index].qr, 'image/svg+xml').documentElement;
    shown.replaceChildren(document.importNode(image, true), h('p', {}, links[index].url));
  };
  if (links.length) pick(0);
  return [
    links.length ? shown : h('p.notice', {}, t('invite.none')),
    h('p.code', { 'aria-label': t('invite.code') }, code),
    links.length ? h('p.hint', {}, t('invite.how')) : null,
    links.length > 1 ? h('div.row.small', {}, links.map((_, index) => button(new URL(links[index].url).hostname, () => pick(index)))) : null,
  ].filter(Boolean);
}

export function claims(state) {
  return state.claims.map((claim) => {
    const seat = state.seats.find((one) => one.id === claim.seat);
    const answer = (allow) => attempt(() => api('POST', `/games/${state.id}/claims/${claim.member}`, { allow }));
    return h('div.notice', { role: 'alert' }, h('p', {}, t('claim.ask', { name: seat.name })), h('div.row', {},
      button(t('claim.allow', { name: seat.name }), () => answer(true), 'main'), button(t('claim.refuse'), () => answer(false))));
  });
}
