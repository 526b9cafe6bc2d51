// The table: whose turn, what is owed, the drawing of it, the referee's word, and buttons for what no camera sees.

import { api, attempt, button, go, h, Refused, say, t } from './lib.js';
import { badge } from './badge.js';
import { CameraView } from './camera.js';
import { pictures } from './evidence.js';
import { hub } from './hub.js';
import { actsText, nameOf, rulingText, trainName } from './ruling.js';
import { announce, canSpeak, chooseWhatIsSaid } from './speak.js';
import { openTrain, putRight } from './train.js';

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
    announce(this.state, state);
    this.state = state;
    if (!this.table) return;
    const plays = state.you.host || state.you.seat;
    const may = plays && !this.table.over && !this.table.foul;
    this.place.replaceChildren(...[
      this.table.foul ? this.foul() : this.turn(),
      may ? this.buttons() : null,
      this.beside(hub(state, this.table, { pick: plays ? (train) => this.lay(train) : null })),
      h('p.muted', {}, this.table.boneyard === null ? t('table.boneyard_unknown') : t('table.boneyard', { count: this.table.boneyard })),
      canSpeak() ? button(t('say.open'), chooseWhatIsSaid, 'small') : null,
      this.feed(),
    ].filter(Boolean));
  }

  /** The camera's picture beside the drawing. */
  beside(drawing) {
    this.camera ??= new CameraView((tap) => this.tapped(tap));
    this.camera.update(this.state);
    return h('div', { class: this.state.camera ? 'beside' : '' }, h('div.hub-place', {}, drawing), this.camera.place);
  }

  turn() {
    const { state, table } = this;
    if (table.over) {
      const names = table.over.out.map((id) => nameOf(state, id)).join(' & ');
      return h('section.whose', {}, h('h2', {}, table.over.end === 'out' ? t('table.out', { names }) : t('table.blocked')),
        button(t('now.over'), () => go(`/g/${state.id}/hand`), 'main huge'));
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
    return h('div.acts', {},
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
    if (train) openTrain(this.state, train, this.actsOn(train));
  }

  /** What can be done on a train. */
  actsOn(train) {
    const open = !this.table.over && !this.table.foul;
    return {
      lay: open ? (ends) => this.act({ do: 'lay', train: train.id, tile: ends }) : null,
      correct: (was, tile) => this.correct({ train: train.id, was, tile }),
      change: (wish, place) => this.change(wish, place),
      move: (was, to) => this.correct({ train: train.id, was, tile: was, to }),
    };
  }

  /** The camera's picture was tapped: the tile there, or its train. */
  async tapped(tap) {
    const { find } = await import('./tapped.js');
    attempt(() => find(this.state, tap, {
      tile: (id, place, seen) => {
        const train = this.table?.trains.find((one) => one.id === id);
        if (train?.tiles[place]) putRight(this.state, train, place, this.actsOn(train), seen);
        else this.lay(train);
      },
      untold: (id, seen) => (this.foulIsOn(id) ? this.foulTile(seen) : this.lay(this.table?.trains.find((one) => one.id === id))),
      train: (id) => this.lay(this.table?.trains.find((one) => one.id === id)),
    }));
  }

  /** Something is no tile (it lay at `place`), lies there too, or a marker stands or not. */
  async change(wish, place) {
    const seat = wish.gone ? this.layer(wish) : null;
    if (!await this.send('/change', wish)) return;
    const tile = (wish.gone || wish.tile || []).join('-');
    if (!wish.gone) say(t(wish.tile ? 'table.added' : 'table.marker_set', { tile }));
    else say(t('table.gone', { tile }), '', [t('table.undo'), () => this.change({ train: wish.train, tile: wish.gone, at: place, seat })]);
  }

  /** Who is said to have laid a tile. */
  layer({ train, gone }) {
    const lays = (acts) => acts.some((act) => act.do === 'lay' && act.train === train && !act.gone && [...act.tile].sort().join() === [...gone].sort().join());
    return lays(this.table.acts) ? this.table.to_move : this.table.turns.findLast((turn) => lays(turn.acts))?.seat;
  }

  async correct(wish) {
    const before = this.table.lost;
    if (!await this.send('/correct', wish)) return;
    if (!this.table || (String(wish.was) === String(wish.tile) && !wish.to)) return;
    const lost = this.table.lost - before;
    say(lost > 0 ? t('table.rejudged.lost', { count: lost }) : t('table.rejudged'));
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
      return true;
    } catch (error) {
      say(error.message, 'bad');
      if (error instanceof Refused && error.state) this.update(error.state);
      return false;
    }
  }

  foul() {
    const { foul } = this.table;
    const { state } = this;
    return h('section.foul', { role: 'alert' },
      h('h2', {}, rulingText(state, foul.code, foul.params)),
      h('p', {}, t('table.foul.act', { acts: foul.act.do === 'end' ? t('act.end') : actsText(state, [foul.act]) })),
      state.you.host || state.you.seat ? h('div.row', {},
        button(t('table.take_back'), () => this.back(foul.version), 'main huge'),
        button(t('table.let_stand'), () => this.stand(), 'huge')) : null,
      state.you.host || state.you.seat ? h('div.row.small', {},
        this.foulIsOn(foul.act.train) ? button(t('table.foul.seen', { tile: foul.act.tile.join('-') }), () => this.foulTile(), 'small') : null,
        h('p.hint', {}, t('table.foul.wrong'))) : null,
      rests(state, foul),
      pictures(state, [foul.act]));
  }

  foulIsOn(train) {
    const act = this.table?.foul?.act;
    return act?.do === 'lay' && act.train === train;
  }

  /** The tile of the foul was another one, is none, lies elsewhere; or one was overlooked before it. */
  foulTile(found = null) {
    const { act } = this.table.foul;
    const train = this.table.trains.find((one) => one.id === act.train);
    const place = train.tiles.length;
    const told = { ...train, tiles: [...train.tiles, act.tile], maybe: { [place]: act.seen?.options || [] }, doubts: [] };
    const { seen } = act;
    const kept = seen?.after && seen.corners ? { photo: { url: `/api/games/${this.state.id}/pictures/${seen.after}`, size: seen.size }, corners: seen.corners } : {};
    putRight(this.state, told, place, this.actsOn(train), found || kept);
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

/** What a verdict rests on: each house rule, and what was chosen for it. */
export function rests(state, ruling) {
  if (!ruling.options.length) return ruling.source ? h('p.muted', {}, t('verdict.basic')) : null;
  const rules = ruling.options.map((name) => [name, h('b', {})]);
  import('./rules.js').then(async ({ chosenWord }) => {
    for (const [name, place] of rules) place.textContent = await chosenWord(state.rules, name);
  }).catch(() => {}); // without a connection the names of the rules have to do
  return h('div.muted.rests', {}, t('verdict.rests'), h('ul', {}, rules.map(([name, place]) => h('li', {}, t(`rule.${name}`), ': ', place))));
}
