// Counting a hand: one photo, every tile outlined, doubts first, the total large.

import { api, attempt, button, confirmed, h, Offline, problem, say, t } from './lib.js';
import { badge } from './badge.js';
import { domino, written } from './domino.js';
import { Draft } from './draft.js';
import { overtaken, whenLifted } from './live.js';
import { dropPhoto, forgetKept, keepPhoto, keptPhoto } from './pending.js';
import { around, middle, picker, question, within } from './onphoto.js';
import { fetchPhoto, photoImage } from './shown.js';
import { askTile } from './tilepad.js';

const HOLD_MS = 550;
const STILL_PX = 12;
const ASIDE_PX = 60;

/** The counting of one seat's hand. `place` is redrawn by itself; `update(state)` brings news. */
export class HandCounter {
  constructor(place, state, seat, { purpose = 'hand', loose = false } = {}) {
    Object.assign(this, { place, state, seat, purpose, loose, sending: null, added: 0 });
    this.round = state.round.number;
    this.draft = new Draft(state.id, this.round, seat, () => this.draw());
    this.pendingKey = this.draft.key;
    this.update(state);
    forgetKept(state.id, this.round);
    keptPhoto(this.pendingKey).then((blob) => { if (blob && !this.sending) this.send(blob); });
  }

  update(state) {
    if (overtaken(state, this.state)) return;
    this.state = state;
    this.draft.absorb(state.drafts[this.seat] || null);
    const { photo } = this;
    if (photo?.state === 'waiting' && !photo.before) fetchPhoto(photo.url); // it is there before it is read
    if (!document.querySelector('dialog.sheet[open]')) this.draw();
    else this.stale = true;
  }

  get photos() {
    return this.state.photos.filter((photo) => photo.seat === this.seat && photo.round === this.round && photo.purpose === 'hand')
      .map((photo) => ({ ...photo, url: `/api/games/${this.state.id}/photos/${photo.id}` }));
  }

  get photo() {
    return this.photos.at(-1);
  }

  get accepted() {
    const hand = this.state.hands[this.seat];
    return hand && hand.state === 'done' ? hand : null;
  }

  /** The name of whose hand it is, where that is not who holds this device. */
  get someoneElse() {
    return this.loose || this.seat === this.state.you.seat ? null : this.state.seats.find((seat) => seat.id === this.seat).name;
  }

  // -- drawing -----------------------------------------------------------------------------------

  draw() {
    const { place, photo } = this;
    place.className = 'hand';
    let parts;
    if (this.accepted) parts = this.drawAccepted();
    else if (this.sending) parts = [this.drawWaiting(this.sending)];
    else if (photo && ['waiting', 'reading'].includes(photo.state)) parts = [this.drawWaiting(photo)];
    else if (photo && photo.state === 'failed' && this.draft.data.tiles.length === 0) parts = [this.drawFailed(photo), ...this.drawStart()];
    else if (this.draft.data.tiles.length || this.draft.data.typed !== null || this.draft.data.photo || this.draft.data.out) parts = this.drawCount();
    else parts = this.drawStart();
    const focused = document.activeElement?.dataset?.tile;
    place.replaceChildren(...parts);
    if (focused) place.querySelector(`[data-tile="${focused}"]`)?.focus({ preventScroll: true });
  }

  drawStart() {
    const other = this.someoneElse;
    return [this.draft.data.elsewhere ? h('p.notice', { role: 'status' }, t('hand.elsewhere', { name: other })) : '', h('div.start', {},
      this.picker(other ? t('hand.take_for', { name: other }) : t('hand.take'), 'main huge', true),
      this.picker(t('hand.choose'), '', false),
      button(t('hand.type'), () => this.typeTiles()),
      this.loose ? null : button(t('hand.type_total'), () => this.typeTotal()),
      this.loose ? null : button(other ? t('hand.out_for', { name: other }) : t('hand.out'), () => this.wentOut(), 'quiet-accent')),
    h('p.hint', {}, t('hand.hint'))];
  }

  picker(label, kind, camera) {
    return picker(label, kind, camera, (file) => this.send(file));
  }

  drawWaiting(photo) {
    const text = photo.state === 'sending' ? t('hand.sending')
      : photo.state === 'kept' ? t('hand.kept')
        : photo.before ? t('hand.before', { count: photo.before }) : t('hand.reading');
    return h('div.waiting', { role: 'status' }, h('div.bar', { 'aria-hidden': 'true' }), h('p', {}, text));
  }

  drawFailed(photo) {
    return h('div.notice.bad', { role: 'alert' }, problem(photo.problem || { code: 'reader_broken' }));
  }

  drawAccepted() {
    const hand = this.accepted;
    const waiting = this.state.seats.filter((seat) => this.state.hands[seat.id].state !== 'done');
    return [
      h('div.total.done', {}, h('span.number', {}, hand.out ? t('hand.out_short') : hand.points), h('span', {}, t('hand.on_sheet'))),
      hand.tiles ? h('div.tiles', {}, hand.tiles.map((ends) => domino(ends, { across: true }))) : null,
      waiting.length ? h('p.hint', {}, t('hand.waiting_for', { names: waiting.map((seat) => seat.name).join(', ') })) : null,
      waiting.length && (this.state.one_phone || (this.state.you.host && !waiting[0].device)) ? button(t('remind.pass', { name: waiting[0].name }),
        () => this.place.dispatchEvent(new CustomEvent('nexthand', { bubbles: true, detail: waiting[0].id })), 'main huge') : null,
      button(t('hand.reopen'), () => attempt(async () => {
        this.update(await api('POST', `${this.draft.path}/reopen`, { version: this.state.version }));
      })),
    ].filter(Boolean);
  }

  drawCount() {
    const { data } = this.draft;
    const total = this.draft.total(this.state.rules.tile_points);
    const doubts = this.draft.doubts;
    const last = this.photo;
    const shown = this.photos.find((photo) => photo.state === 'read' && data.photo === photo.id);
    const other = this.someoneElse;
    const label = !data.out ? t('hand.accept', { total }) : other ? t('hand.accept_out_for', { name: other }) : t('hand.accept_out');
    return [
      ...this.alerts(),
      last && last !== shown && last.id !== data.photo && last.empty ? h('p.notice', { role: 'status' }, t('hand.count_stands')) : null,
      doubts.length ? this.question(doubts[0], shown, doubts.length) : null,
      shown ? this.overlay(shown) : null,
      shown && !data.tiles.length ? h('p.notice', {}, t(shown.blurred ? 'middle.bad.blurred' : 'hand.nothing_found')) : null,
      shown?.face_down ? h('p.notice', {}, t('hand.face_down', { count: shown.face_down })) : null,
      data.out ? null : h('div.tiles', { role: 'group', 'aria-label': t('hand.tiles') }, data.tiles.map((tile) => this.tileButton(tile, shown)),
        data.typed === null ? h('button.tile.add', { type: 'button', onclick: () => this.typeTiles(), 'aria-label': t('hand.add') }, '+') : null),
      h('div.row.small', {}, this.picker(t('hand.again'), '', true), this.loose ? null : button(t('hand.type_total'), () => this.typeTotal()),
        button(t('hand.clear'), () => this.clear())),
      h('div.total', {}, h('div', {}, h('span.number', { 'data-total': total }, data.out ? 0 : total),
        h('span.unit', {}, data.out ? t('hand.out_short') : data.typed !== null ? t('hand.typed') : t('hand.count', { count: data.tiles.length }))),
      this.loose ? null : !data.tiles.length && data.typed === null && !data.out ? this.picker(t('hand.again'), 'main huge', true)
        : button(doubts.length ? t('hand.doubts', { count: doubts.length }) : label, () => this.accept(), 'main huge',
          { disabled: doubts.length > 0 })),
    ].filter(Boolean);
  }

  alerts() {
    return this.state.alerts.filter((alert) => alert.seats.includes(this.seat)).map((alert) => {
      const others = alert.seats.filter((seat) => seat !== this.seat);
      const name = (id) => this.state.seats.find((seat) => seat.id === id)?.name;
      return h('div.notice.bad', { role: 'alert' },
        h('p', {}, t(alert.code, { tile: written(alert.tile), name: others.map(name).join(', ') || t('you') })),
        h('div.row', {}, Object.keys(alert.pictures).map((seat) => h('figure', {},
          h('img', { src: `/api/games/${this.state.id}/tiles/${alert.tile.join('-')}/${seat}?v=${alert.pictures[seat]}`, alt: '' }),
          h('figcaption', {}, name(seat))))));
    });
  }

  question(tile, photo, left) {
    return question(tile, photo, left, { set: (ends) => this.set(tile.id, ends), edit: () => this.edit(tile, photo), remove: () => this.remove(tile.id) });
  }

  overlay(photo) {
    const placed = this.draft.data.tiles.filter((tile) => tile.corners || tile.at);
    const [left, top, width, height] = this.whole ? [0, 0, ...photo.size] : around(placed, photo.size);
    const zoomed = width < photo.size[0] || height < photo.size[1];
    const svg = h('svg', { viewBox: `${left} ${top} ${width} ${height}`, 'aria-hidden': 'true',
      onclick: (event) => this.addAt(svg, event, [left, top, width, height]) },
    photoImage(photo),
    placed.filter((tile) => tile.corners).map((tile) => h('polygon', {
      points: tile.corners.map((point) => point.join(',')).join(' '),
      class: tile.doubtful && !tile.confirmed ? 'outline doubtful' : 'outline', 'vector-effect': 'non-scaling-stroke' })));
    const chips = placed.map((tile) => {
      const [x, y] = tile.at || middle(tile.corners);
      return h('button.chip', { type: 'button', 'data-tile': tile.id, class: tile.doubtful && !tile.confirmed ? 'doubtful' : '',
        style: { left: within((x - left) / width, '1.7rem'), top: within((y - top) / height, '1rem') }, 'aria-label': t('hand.change', { tile: written(tile.ends) }),
        ...this.tileEvents(tile, photo) }, written(tile.ends));
    });
    return h('div.photo', { style: { 'aspect-ratio': `${width} / ${height}`, 'max-width': `${(75 * width) / height}vh` } }, svg, chips,
      zoomed || this.whole ? h('button.zoom', { type: 'button', onclick: () => { this.whole = !this.whole; this.draw(); } },
        t(this.whole ? 'hand.closer' : 'hand.whole')) : null);
  }

  tileButton(tile, photo) {
    return h('button.tile', { type: 'button', 'data-tile': `b${tile.id}`, class: tile.doubtful && !tile.confirmed ? 'doubtful' : '',
      'aria-label': t('hand.change', { tile: written(tile.ends) }), ...this.tileEvents(tile, photo) }, domino(tile.ends, { across: true }));
  }

  /** Tap to change; hold, push aside or Delete to remove. */
  tileEvents(tile, photo) {
    let timer = null;
    let held = false;
    let from = null;
    const pushed = (event) => (from === null ? 0 : event.clientX - from);
    const stop = (event) => {
      clearTimeout(timer);
      event.currentTarget.style.translate = '';
      from = null;
    };
    return {
      onclick: () => { if (!held) this.edit(tile, photo); held = false; },
      onpointerdown: (event) => {
        held = false;
        from = event.clientX;
        timer = setTimeout(() => { held = true; this.remove(tile.id); }, HOLD_MS);
      },
      onpointermove: (event) => {
        if (Math.abs(pushed(event)) < STILL_PX || held) return;
        clearTimeout(timer);
        event.currentTarget.style.translate = `${pushed(event)}px`;
      },
      onpointerup: (event) => {
        const far = Math.abs(pushed(event));
        if (far >= STILL_PX) held = true; // no tap any more
        stop(event);
        if (far >= ASIDE_PX) this.remove(tile.id);
      },
      onpointercancel: stop,
      onpointerleave: (event) => { if (event.pointerType === 'mouse') stop(event); },
      oncontextmenu: (event) => event.preventDefault(),
      onkeydown: (event) => { if (event.key === 'Delete' || event.key === 'Backspace') { event.preventDefault(); this.remove(tile.id); } },
    };
  }

  // -- acting ------------------------------------------------------------------------------------

  set(id, ends) {
    this.draft.change((data) => {
      data.tiles = data.tiles.map((tile) => (tile.id === id ? { ...tile, ends, confirmed: true } : tile));
    });
  }

  remove(id) {
    const before = this.draft.data.tiles;
    const at = before.findIndex((tile) => tile.id === id);
    if (at < 0) return;
    const gone = before[at];
    this.draft.change((data) => { data.tiles = data.tiles.filter((tile) => tile.id !== id); });
    say(t('hand.removed', { tile: written(gone.ends) }), '', [t('table.undo'), () => this.draft.change((data) => {
      if (!data.tiles.some((tile) => tile.id === id)) data.tiles = data.tiles.toSpliced(at, 0, gone);
    })]);
  }

  edit(tile, photo) {
    askTile({ title: t('hand.change', { tile: written(tile.ends) }), tile, photo, setSize: this.state.rules.set_size,
      done: (ends) => this.set(tile.id, ends), remove: () => this.remove(tile.id) });
  }

  addAt(svg, event, [left, top, width, height]) {
    const box = svg.getBoundingClientRect();
    const at = [left + ((event.clientX - box.left) / box.width) * width, top + ((event.clientY - box.top) / box.height) * height];
    askTile({ title: t('hand.add'), setSize: this.state.rules.set_size, done: (ends) => this.add(ends, at.map((part) => Math.max(0, Math.round(part)))) });
  }

  add(ends, at = null) {
    const taken = new Set(this.draft.data.tiles.map((tile) => tile.id));
    let number = 1;
    while (taken.has(`n${number}`)) number += 1;
    this.draft.change((data) => {
      data.typed = null;
      data.out = false;
      data.tiles = [...data.tiles, { id: `n${number}`, ends, at, corners: null, doubtful: false, doubts: [], options: [], confirmed: true, by: 'person' }];
    });
  }

  typeTiles() {
    askTile({ title: t('hand.add'), setSize: this.state.rules.set_size, more: true, done: (ends) => this.add(ends) });
  }

  typeTotal() {
    import('./typed.js').then(({ askTotal }) => askTotal(t('hand.type_total'), (total) => this.draft.change((data) => {
      data.tiles = [];
      data.out = false;
      data.typed = total;
    })));
  }

  /** The same photo was counted before: for this hand, or for another. Once more only if it is meant so. */
  async again({ seat, round }, blob) {
    const here = this.loose || (seat === this.seat && round === this.round);
    const name = this.state.seats.find((one) => one.id === seat)?.name ?? '';
    const question = t(here ? 'hand.photo_again' : 'hand.photo_again_for', { name, round });
    if (await confirmed(question, t('hand.photo_anew'))) this.send(blob, true);
  }

  async clear() {
    if (await confirmed(t('hand.clear_sure'), t('hand.clear'))) {
      this.draft.change((data) => { data.tiles = []; data.out = false; data.typed = null; });
    }
  }

  wentOut() {
    this.draft.change((data) => { data.tiles = []; data.typed = null; data.out = true; });
  }

  async accept() {
    await attempt(async () => {
      // Twice: an attempt that was under way may have met a server that was just starting again.
      if (!await this.draft.push() && !await this.draft.push()) throw new Offline(t('offline'));
      const state = await api('POST', `${this.draft.path}/accept`, { version: this.state.version, draft_version: this.draft.data.base });
      this.draft.forget();
      this.place.dispatchEvent(new CustomEvent('accepted', { bubbles: true, detail: state }));
    });
  }

  async send(blob, anew = false, tries = 0) {
    this.sending = { state: 'sending' };
    this.draw();
    const kept = keepPhoto(this.pendingKey, blob); // while it is sent, not before
    try {
      const { photo, counted } = await api('POST', `${this.draft.path}/photo${anew ? '?anew=true' : ''}`, blob);
      kept.then(() => dropPhoto(this.pendingKey));
      this.sending = null;
      // The line has told of it, as a rule; if it is down the page asks.
      const told = this.state.photos.some((one) => one.id === photo);
      const fresh = told ? null : await api('GET', `/games/${this.state.id}`);
      whenLifted(() => this.update(fresh ?? this.state));
      if (counted && !(tries && counted.seat === this.seat)) await this.again(counted, blob);
    } catch (error) {
      if (error instanceof Offline) {
        this.sending = { state: 'kept' };
        this.draw();
        setTimeout(() => this.send(blob, anew, tries + 1), 3000);
        return;
      }
      await dropPhoto(this.pendingKey);
      this.sending = null;
      say(error.message, 'bad');
      this.draw();
    }
  }
}

/** The hand tab: my own hand, or for the host a choice of seats. */
export class HandTab {
  constructor(place, state, seat) {
    this.place = place;
    this.seat = state.seats.some((one) => one.id === seat) ? seat : state.you.seat;
    if (!this.seat && state.one_phone) this.seat = this.next(state);
    place.addEventListener('nexthand', (event) => this.choose(event.detail));
    this.update(state);
  }

  update(state) {
    this.state = state;
    const counted = state.round.number;
    if (state.round.over) {
      this.counter = null;
      this.place.replaceChildren(h('p.lead', {}, t('hand.session_over')));
      return;
    }
    if (this.counter && this.counter.round === counted && this.counter.seat === this.seat) {
      this.drawSeats(state);
      this.counter.update(state);
      return;
    }
    this.seats = h('div.seat-row', { role: 'group', 'aria-label': t('hand.whose') });
    const area = h('div', {});
    this.place.replaceChildren(this.seats, area);
    this.drawSeats(state);
    const mine = this.seat && (state.you.host || this.seat === state.you.seat);
    this.counter = mine ? new HandCounter(area, state, this.seat) : null;
    if (!mine) area.append(h('p.lead', {}, state.you.host ? t('hand.choose_seat') : t('hand.watching')));
  }

  /** One phone passed round: whose hand comes next. Nobody's, before the first hand is counted. */
  next(state) {
    const waiting = state.seats.filter((seat) => state.hands[seat.id].state !== 'done');
    return waiting.length < state.seats.length ? waiting[0]?.id : null;
  }

  /** The address names the seat, so that a page that was dropped comes back to it. */
  choose(seat) {
    this.seat = seat;
    this.counter = null;
    history.replaceState(null, '', `/g/${this.state.id}/hand/${seat}`);
    this.update(this.state);
  }

  drawSeats(state) {
    const may = (seat) => state.you.host || seat.id === state.you.seat;
    this.seats.replaceChildren(...state.seats.map((seat) => {
      const hand = state.hands[seat.id];
      const mark = hand.state === 'done' ? (hand.out ? t('hand.out_short') : hand.points) : hand.state === 'counting' ? '…' : '';
      return h('button', { type: 'button', class: seat.id === this.seat ? 'seat chosen' : 'seat', disabled: !may(seat),
        'aria-pressed': String(seat.id === this.seat), onclick: () => this.choose(seat.id),
      }, badge(seat), h('span', {}, seat.name), h('b', {}, mark));
    }));
    requestAnimationFrame(() => { // in a narrow row the chosen one is in sight
      const chosen = this.seats.querySelector('.chosen');
      if (chosen) this.seats.scrollLeft = chosen.offsetLeft - this.seats.offsetLeft - (this.seats.clientWidth - chosen.offsetWidth) / 2;
    });
  }
}

