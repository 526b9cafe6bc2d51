// Everything that is not needed every minute: inviting, names, rules, undo, forgetting.

import { api, attempt, button, confirmed, go, h, link, say, t } from './lib.js';
import { badge } from './badge.js';
import { claims, invitation } from './now.js';
import { comesBack, goesHome, lateComer, playerEditor, seatOrder } from './players.js';

export class MoreTab {
  constructor(place, state) {
    this.place = place;
    this.update(state);
  }

  update(state) {
    this.state = state;
    const { you } = state;
    this.place.replaceChildren(...[
      ...claims(state),
      this.section(t('more.players'), ...this.players()),
      state.one_phone || you.waiting ? null : this.section(t('more.device'), this.sit()),
      you.host ? this.section(t('more.game'), this.gameButtons()) : null,
      state.one_phone ? null : this.invite(),
      this.section(t('more.log'), this.log()),
      you.host ? this.section(t('more.forget'), h('p', {}, t('more.forget.why')), h('div.row', {},
        button(t('more.forget_photos'), () => this.forget(true)), button(t('more.forget_all'), () => this.forget(false), 'danger'))) : null,
      h('p', {}, link('/privacy', t('privacy'))),
    ].filter(Boolean));
  }

  section(title, ...content) {
    return h('section.block', {}, h('h2', {}, title), ...content);
  }

  invite() {
    if (!this.inviteBox) {
      const { state } = this;
      const box = h('div.invite', {});
      const wanted = !state.round.over && !state.seats.every((seat) => seat.device || seat.id === state.you.seat);
      this.inviteBox = h('details.block', { open: wanted }, h('summary', {}, t('invite.title')), box);
      attempt(async () => {
        const { code, links } = await api('GET', `/games/${state.id}/invite`);
        box.replaceChildren(...invitation(code, links));
      });
    }
    return this.inviteBox;
  }

  async send(path, body, method = 'POST') {
    const state = await attempt(() => api(method, `/games/${this.state.id}${path}`, body));
    if (state) this.update(state);
    return state;
  }

  players() {
    const { state } = this;
    const { you } = state;
    const gone = state.sheet.players.filter((player) => player.gone);
    return [
      h('ul.plain-list', {}, state.seats.map((seat) => h('li', {}, badge(seat), h('bdi', {}, seat.name),
        you.host || you.seat === seat.id ? button(t('edit'), () => this.editSeat(seat), 'small', { 'aria-label': `${t('edit')}: ${seat.name}` }) : null)),
      gone.map((player) => h('li.away', {}, badge(player), h('span', {}, h('bdi', {}, player.name), h('small', {}, ` ${t('player.gone')}`)),
        you.host && !state.round.over ? button(t('player.back', { name: player.name }), () => comesBack(state, player, ({ points }) =>
          this.send(`/players/${player.id}/back`, { points, version: this.state.version })), 'small') : null))),
      you.host && !state.round.over ? h('div.row', {},
        button(t('seat.order'), () => seatOrder(state, (order) => this.send('/order', { order, version: this.state.version }))),
        state.sheet.players.length < 10 ? button(t('player.add'), () => lateComer(state, (player) => this.send('/players', { ...player, version: this.state.version }))) : null) : null,
    ].filter(Boolean);
  }

  editSeat(seat) {
    const { state } = this;
    const leave = state.you.host && state.seats.length > 2 && !state.round.over ? async () => {
      if (await goesHome(seat.name)) this.send(`/players/${seat.id}/leave`, { version: this.state.version });
    } : null;
    playerEditor(seat, (changed) => this.send('/seats', { seats: [{ ...changed, id: seat.id }], version: this.state.version }),
      { others: state.sheet.players.filter((other) => other.id !== seat.id), leave });
  }

  /** The host may play too: this device then counts that seat's hand. */
  sit() {
    const { state } = this;
    return h('label.field', {}, t('more.sit'), h('select', { onchange: (event) => { const seat = event.target.value || null; event.target.blur(); this.send('/seat', { seat }); } },
      h('option', { value: '' }, '–'), state.seats.filter((seat) => !seat.device || seat.id === state.you.seat).map((seat) =>
        h('option', { value: seat.id, selected: seat.id === state.you.seat }, seat.name))));
  }

  gameButtons() {
    const { state } = this;
    return h('div.stack', {},
      button(t('more.rules'), () => import('./rules.js').then(({ editRules }) => editRules(state, (rules) => this.send('/rules', { ...rules, version: this.state.version })))),
      button(t('more.length', { count: state.sheet.planned }), () => import('./typed.js').then(({ askTotal }) => askTotal(t('more.length.ask'), (rounds) =>
        this.send('/length', { rounds, version: this.state.version })))),
      state.round.over ? null : h('label.field', {}, t('more.starter', { round: state.round.number }), h('select', {
        onchange: (event) => { const seat = event.target.value; event.target.blur(); if (seat) this.send('/starter', { round: state.round.number, seat, version: this.state.version }); } },
      h('option', { value: '' }, '–'), state.seats.map((seat) => h('option', { value: seat.id, selected: state.round.starter === seat.id }, seat.name)))));
  }

  log() {
    const { state } = this;
    const name = (id) => state.sheet.players.find((seat) => seat.id === id)?.name ?? '';
    const lines = state.log.filter((change) => change.kind !== 'undone').slice(-8).reverse();
    return h('div', {},
      h('ul.log', {}, lines.map((change) => h('li', { class: change.undone ? 'undone' : '' },
        h('time', {}, new Date(change.at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })),
        h('span', {}, t(`log.${change.kind}`, { name: name(change.data.seat), ...change.data }))))),
      state.undo ? button(t('more.undo', { what: t(`log.${state.undo.kind}`, { name: name(state.undo.data.seat), ...state.undo.data }) }),
        () => this.send('/undo', { target: state.undo.version })) : null);
  }

  async forget(onlyPhotos) {
    if (!await confirmed(t(onlyPhotos ? 'more.forget_photos.sure' : 'more.forget_all.sure'), t('more.forget'), true)) return;
    if (onlyPhotos) { await this.send('/photos', undefined, 'DELETE'); say(t('more.forgotten')); return; }
    const tell = (detail) => this.place.dispatchEvent(new CustomEvent('forgetting', { bubbles: true, detail }));
    tell(true);
    if (await attempt(() => api('DELETE', `/games/${this.state.id}`))) { go('/'); say(t('more.forgotten')); } else tell(false);
  }
}
