// The table as a drawing: whose turn, what is owed, every train with its open end; and the referee's word.

import { api, attempt, button, go, h, Refused, say, t } from './lib.js';
import { badge } from './badge.js';
import { CameraView } from './camera.js';
import { domino } from './domino.js';
import { pictures } from './evidence.js';
import { actsText, nameOf, rulingText, trainName } from './ruling.js';
import { askTile } from './tilepad.js';

/** The trains, one under the other like the tracks of a station. `pick` makes them buttons. */
export function tracks(state, shown, { pick = null, changed = null } = {}) {
  return h('div.tracks', {}, shown.trains.map((train) => {
    const seat = state.seats.find((one) => one.id === train.id);
    const tiles = train.tiles.slice(-14);
    const fresh = changed ? (changed.trains.find((one) => one.id === train.id)?.tiles.length ?? 0) : Infinity;
    const skipped = train.tiles.length - tiles.length;
    const ends = train.ends.length ? train.ends : [shown.double];
    const owed = shown.owed?.train === train.id;
    const name = seat ? seat.name : t('train.mexican_short', { number: train.id.slice(1) });
    const line = h('div.rail', {}, skipped ? h('span.muted', {}, `+${skipped}`) : null,
      tiles.map((tile, index) => h('span', { class: skipped + index >= fresh ? 'laid new' : 'laid' },
        domino(tile, { across: tile[0] !== tile[1] }))),
      train.tiles.length ? null : h('span.muted', {}, t('table.unstarted')));
    const label = t('table.train', { name, end: ends.join(', '), count: train.tiles.length });
    const end = h('span', { class: train.open_double ? 'end owed' : 'end', title: t('table.end') }, ends.join(' '));
    const parts = [h('span.owner', {}, seat ? badge(seat) : h('span.mexican', { 'aria-hidden': 'true' }, '★'), h('span.name', {}, name),
      train.marker ? h('span.marker', { role: 'img', 'aria-label': t('table.marker') }, '⚑') : null,
      seat && shown.hands[seat.id] !== null ? h('small', { title: t('table.in_hand') }, shown.hands[seat.id]) : null), line, end];
    const kind = `track${shown.to_move === train.id ? ' to-move' : ''}${owed ? ' owed' : ''}${train.marker ? ' open' : ''}`;
    return pick ? h('button', { type: 'button', class: kind, 'aria-label': label, onclick: () => pick(train) }, ...parts)
      : h('div', { class: kind, 'aria-label': label, role: 'group' }, ...parts);
  }));
}

export class TableView {
  constructor(place, state) {
    this.place = place;
    place.className = 'table';
    this.update(state);
  }

  get table() {
    return this.state.table;
  }

  close() {
    this.camera?.close();
  }

  update(state) {
    this.state = state;
    if (!this.table) return;
    const may = (state.you.host || state.you.seat) && !this.table.over && !this.table.foul;
    this.place.replaceChildren(...[
      this.table.foul ? this.foul() : this.turn(),
      this.beside(tracks(state, this.table, { pick: may ? (train) => this.lay(train) : null })),
      h('p.muted', {}, t('table.boneyard', { count: this.table.boneyard })),
      may ? this.buttons() : null,
      this.feed(),
    ].filter(Boolean));
  }

  /** The camera's picture beside the drawing. */
  beside(drawing) {
    this.camera ??= new CameraView();
    this.camera.update(this.state);
    return h('div', { class: this.state.camera ? 'beside' : '' }, drawing, this.camera.place);
  }

  turn() {
    const { state, table } = this;
    if (table.over) {
      const names = table.over.out.map((id) => nameOf(state, id)).join(' & ');
      return h('section.whose', {}, h('h2', {}, table.over.end === 'out' ? t('table.out', { names }) : t('table.blocked')),
        button(t('now.count'), () => go(`/g/${state.id}/hand`), 'main huge'));
    }
    const seat = state.seats.find((one) => one.id === table.to_move);
    return h('section.whose', {}, badge(seat, 'huge'), h('div', {},
      h('h2', {}, t(seat.id === state.you.seat ? 'table.your_turn' : 'table.turn', { name: seat.name })),
      h('p', {}, this.duty(seat)),
      table.acts.length ? h('p.muted', {}, t('table.so_far', { acts: actsText(state, table.acts) })) : null));
  }

  duty(seat) {
    const { state, table } = this;
    if (table.owed) {
      const { train, value } = table.owed;
      return t('table.covers', { double: `${value}-${value}`, train: trainName(state, train), name: seat.name });
    }
    if (table.drawn) return t('table.drew', { name: seat.name });
    if (['extra', 'may_extra', 'drawn_extra'].includes(table.need)) return t('table.extra');
    if (table.need === 'line') return t('table.line');
    if (table.mode === 'build') return t('table.build', { value: table.double });
    return table.need === 'nothing' ? t('table.ended') : t('table.free');
  }

  buttons() {
    const { table } = this;
    return h('div.row.acts', {},
      button(t('table.lay'), () => this.chooseTrain(), 'main'),
      button(t('table.draw'), () => this.act({ do: 'draw' })),
      button(table.acts.length ? t('table.next') : t('table.pass'), () => this.act({ do: 'end' })),
      table.call ? button(t('table.last_tile'), () => this.act({ do: 'call', seat: this.state.you.seat || table.to_move })) : null,
      table.watched.map((seat) => button(t('table.caught', { name: nameOf(this.state, seat) }), () => this.act({ do: 'catch', seat, by: this.state.you.seat || this.state.seats.find((one) => one.id !== seat).id }))),
      table.can_undo ? button(t('table.undo'), () => this.back(table.can_undo)) : null);
  }

  chooseTrain() {
    const usable = this.table.owed ? this.table.owed.train : this.table.to_move;
    this.lay(this.table.trains.find((train) => train.id === usable));
  }

  lay(train) {
    if (!train) return;
    const { state } = this;
    askTile({ title: t('table.lay_on', { train: trainName(state, train.id) }), setSize: state.rules.set_size,
      tile: { ends: [train.ends[0] ?? this.table.double, null], options: [], quick: true },
      done: (ends) => this.act({ do: 'lay', train: train.id, tile: ends }) });
  }

  async act(act) {
    await this.send('/acts', act);
    const { table } = this;
    if (act.do === 'lay' && table && !table.foul && !table.over && table.need === 'line') {
      this.lay(table.trains.find((train) => train.id === act.train));
    }
  }

  back(target) {
    return this.send('/back', { target });
  }

  async send(path, body) {
    try {
      const state = await api('POST', `/games/${this.state.id}/table${path}`, { ...body, version: this.state.version });
      this.update(state);
      this.place.dispatchEvent(new CustomEvent('accepted', { bubbles: true, detail: state }));
    } catch (error) {
      say(error.message, 'bad');
      if (!(error instanceof Refused)) return;
      if (error.state) this.update(error.state);
    }
  }

  foul() {
    const { foul } = this.table;
    const { state } = this;
    return h('section.foul', { role: 'alert' },
      h('h2', {}, rulingText(state, foul.code, foul.params)),
      h('p', {}, t('table.foul.act', { acts: foul.act.do === 'end' ? t('act.end') : actsText(state, [foul.act]) })),
      rests(foul),
      state.you.host || state.you.seat ? h('div.row', {},
        button(t('table.take_back'), () => this.back(foul.version), 'main huge'),
        button(t('table.let_stand'), () => this.stand(), 'huge')) : null,
      pictures(state, [foul.act]));
  }

  stand() {
    import('./note.js').then(({ askNote }) => askNote(t('table.let_stand'), (note) => this.send('/stand', { note })));
  }

  feed() {
    const { state, table } = this;
    if (!table.count) return null;
    return h('section', {}, h('h2', {}, t('table.turns')),
      h('ul.feed', {}, [...table.turns].reverse().slice(0, 12).map((turn) => h('li', {}, h('button', { type: 'button', class: `turn ${turn.verdict}`,
        onclick: () => import('./dispute.js').then(({ openTurn }) => openTurn(this, turn.number)) },
      badge(state.seats.find((seat) => seat.id === turn.seat)), h('span', {}, `${turn.number}. ${nameOf(state, turn.seat)}: ${actsText(state, turn.acts)}`),
      turn.verdict === 'illegal' ? h('b', {}, t('verdict.overruled')) : null)))),
      h('p.hint', {}, t('table.turns.how')),
      state.you.host ? button(t('table.stop'), () => attempt(() => this.send('/stop', {})), 'small') : null);
  }
}

/** The rule a verdict rests on: its house rules in words. */
export function rests(ruling) {
  if (!ruling.options.length && !ruling.source) return null;
  return h('p.muted', {}, t('verdict.rests', { rules: ruling.options.map((name) => t(`rule.${name}`)).join('; ') || t('verdict.basic') }));
}
