// A round taken up in the middle: photograph the table, check what is doubtful, say whose train is whose, whose turn
// it is and how many tiles each holds. Nothing is begun before the last tap; until then it waits on this device.

import { api, attempt, button, go, h, looks, Offline, problem, recall, remember, say, sheet, t } from './lib.js';
import { badge } from './badge.js';
import { domino, written } from './domino.js';
import { hub } from './hub.js';
import { overtaken, whenLifted } from './live.js';
import { picker, question } from './onphoto.js';
import { dropPhoto, keepPhoto, keptPhoto } from './pending.js';
import { add, beginning, boneyard, chain, doubts, emptyLine, faults, find, held, isMarked, linesOf, openDoubles, owners, propose, put, remove,
  shown, tell } from './taken.js';
import { lineOnPhoto, ownerMark, ownerName, tablePhoto } from './tablephoto.js';
import { askTile } from './tilepad.js';

const EMPTY = { photo: null, mine: null, ignored: null, hub: null, trouble: null, double: null, seen: null, notes: [], lines: [], turn: null, hands: {}, first: null };
const AGAIN_MS = 3000;

await looks('middle');

export class MiddleView {
  constructor(place, state) {
    Object.assign(this, { place, state, sending: null, drawn: null });
    place.className = 'middle';
    this.key = `draft:${state.id}:${state.round.number}:table`;
    this.data = { ...EMPTY, double: state.round.double, ...(recall(this.key) || {}) };
    keptPhoto(this.key).then((blob) => { if (blob && !this.sending) this.send(blob); });
    this.update(state);
  }

  close() {
    clearTimeout(this.timer);
    this.closed = true;
  }

  update(state) {
    if (overtaken(state, this.state)) return;
    this.state = state;
    const { photo } = this;
    if (photo?.state === 'read' && this.data.photo !== photo.id) { this.take(photo); return; }
    // News that change nothing here draw nothing anew: whoever types or listens is not disturbed.
    const looks = JSON.stringify([photo?.id, photo?.state, photo?.before, state.seats.map(({ id, name, colour, shape }) => [id, name, colour, shape])]);
    if (looks !== this.drawn) { this.drawn = looks; this.draw(); }
  }

  /** This device's last photo; the last one of others only while nothing is entered here. */
  get photo() {
    const { data } = this;
    const all = this.state.photos.filter((photo) => photo.purpose === 'table');
    const found = all.find((photo) => photo.id === (data.mine ?? data.photo)) || (data.lines.length ? null : all.at(-1));
    return found && found.id !== data.ignored ? { ...found, url: `/api/games/${this.state.id}/photos/${found.id}` } : null;
  }

  /** What the photo says, for people to put right. What they said of turn and hands stays. */
  async take(photo) {
    if (this.taking === photo.id) return;
    this.taking = photo.id;
    const answer = await attempt(() => api('GET', `/games/${this.state.id}/photos/${photo.id}/reading`));
    this.taking = null;
    if (!answer?.reading || this.closed) return;
    const { table, trouble } = answer.reading;
    const double = table.starting_double ?? this.state.round.double;
    this.change((data) => {
      Object.assign(data, { photo: photo.id, trouble, double, said: false, seen: table.starting_double, lines: linesOf(answer.reading),
        hub: table.tiles.find((tile) => tile.role === 'starting_double')?.corners_px ?? null,
        notes: table.doubts.filter(({ code }) => SAID.includes(code)).map(({ code, params, tile_ids: ids }) => ({ code, params,
          tiles: code.startsWith('starting') ? [] : ids.map((id) => `t${id}`) })) });
    });
  }

  change(work) {
    work(this.data);
    this.draw();
    this.keep();
  }

  keep() {
    remember(this.key, this.data);
  }

  // -- drawing -----------------------------------------------------------------------------------

  draw() {
    propose(this.data, this.state);
    const focused = document.activeElement?.dataset?.key;
    this.place.replaceChildren(...[
      h('div.row', {}, h('h2', {}, t('middle.title')), button(t('cancel'), () => this.leave(), 'small')),
      ...this.parts(),
    ].flat(2).filter(Boolean));
    if (focused) this.place.querySelector(`[data-key="${focused}"]`)?.focus({ preventScroll: true });
  }

  parts() {
    const { data, photo } = this;
    if (this.sending) return [waiting(t(`hand.${this.sending}`))];
    if (photo && ['waiting', 'reading'].includes(photo.state)) return [waiting(photo.before ? t('hand.before', { count: photo.before }) : t('middle.reading'))];
    const failed = photo?.state === 'failed' && bad(problem(photo.problem || { code: 'reader_broken' }));
    const trouble = failed || (data.trouble ? bad(t(`middle.bad.${data.trouble}`)) : null);
    if (!data.lines.length) return [trouble, this.start()];
    this.wrong = faults(data, this.state);
    const unsure = doubts(data, this.state);
    const first = this.first();
    this.asksFirst = first !== null;
    const picture = photo && photo.id === data.photo && photo.size ? photo : null;
    return [trouble,
      unsure.length ? this.question(unsure, picture) : null,
      this.double(),
      h('div', { class: picture ? 'beside' : '' }, picture ? tablePhoto(data, this.state, picture, (line) => this.whose(line, picture)) : null,
        h('div.hub-place', {}, hub(this.state, shown(data, this.state), { pick: (train) => this.whole(train.id, picture) }))),
      h('div.row.small', {}, picker(t('hand.again'), '', true, (blob) => this.send(blob)), picker(t('hand.choose'), '', false, (blob) => this.send(blob)),
        button(t('hand.clear'), () => this.clear())),
      this.notes(), this.trains(picture), this.turn(), first, this.hands(), this.end(unsure.length)];
  }

  start() {
    return [h('p.lead', {}, t('middle.how')), h('div.start', {}, picker(t('middle.take'), 'main huge', true, (blob) => this.send(blob)),
      picker(t('hand.choose'), '', false, (blob) => this.send(blob)),
      button(t('middle.type'), () => this.change((data) => { data.trouble = null; data.ignored = this.photo?.id ?? data.ignored; data.lines = owners(this.state).map(emptyLine); })))];
  }

  /** A doubtful tile; what fits where it lies is offered first. The next question gets the keyboard. */
  question(unsure, photo) {
    const { line, tile, before } = find(this.data, unsure[0].id);
    const tiles = chain(this.data, line.owner);
    const after = tiles[tiles.indexOf(tile) + 1]?.ends[0];
    const fit = ([near, far]) => (near === before) + (far === after);
    const next = (work) => {
      this.change(work);
      this.place.querySelector('.question .choices button, .question button, input[name="turn"]')?.focus({ preventScroll: true });
    };
    return question({ ...tile, options: [...tile.options].sort((a, b) => fit(b) - fit(a)) }, photo, unsure.length, {
      set: (ends) => next((data) => put(data, tile.id, ends)), edit: () => this.edit(tile.id, photo), remove: () => next((data) => remove(data, tile.id)) });
  }

  /** The photo shows another starting double than the round has, or none: people say which. */
  double() {
    const { data, state } = this;
    const { double } = state.round;
    if (data.double !== null && (data.seen === null || data.seen === double || data.said)) return null;
    const known = [...new Set([data.seen, double])].filter((value) => value !== null);
    const values = known.length ? known : Array.from({ length: state.rules.set_size + 1 }, (_, value) => value);
    return h('section.question', {}, h('h2', {}, t('middle.double')), h('div.row', {}, values.map((value) => button(`${value}-${value}`,
      () => this.change((draft) => { draft.double = value; draft.said = true; }), value === data.double ? 'main' : '', { 'data-key': `double${value}` }))));
  }

  notes() {
    const { data, state } = this;
    const onTrains = new Set(owners(state).flatMap((owner) => chain(data, owner)).filter((tile) => !tile.confirmed).map((tile) => tile.id));
    const said = data.notes.filter((note) => !note.tiles.length || note.tiles.some((id) => onTrains.has(id)));
    const apart = data.lines.filter((line) => !line.owner && line.tiles.length).reduce((sum, line) => sum + line.tiles.length, 0);
    if (!said.length && !apart) return null;
    const name = (id) => data.lines.flatMap((line) => line.tiles).filter((tile) => tile.id === id).map((tile) => written(tile.ends));
    return h('section.notice', {}, h('h3', {}, t('middle.look')), h('ul', {},
      said.map((note) => h('li', {}, note.tiles.length ? `${note.tiles.flatMap(name).join(', ')}: ` : '', t(`layout.${note.code}`, note.params))),
      apart ? h('li', {}, t('middle.apart', { count: apart })) : null));
  }

  trains(photo) {
    const { data, state } = this;
    const apart = data.lines.filter((line) => !line.owner && line.tiles.length);
    return h('section', {}, h('h2', {}, t('middle.trains')), h('p.hint', {}, t('middle.trains.how')),
      h('ul.taken', {}, owners(state).map((owner) => this.train(owner, photo))),
      apart.length ? h('details', { open: apart.some((line) => line.tiles.length > 1) }, h('summary', {}, t('middle.apart.list', { count: apart.length })),
        h('ul.taken', {}, apart.map((line) => h('li', {}, h('div.head', {}, button(ownerMark(this.state, '', 20), () => this.whose(line, photo), 'owner', { 'data-key': `own${line.id}`, 'aria-label': t('middle.whose_is', { train: line.tiles.map((tile) => written(tile.ends)).join(' ') }) })),
          h('div.line', {}, line.tiles.map((tile) => domino(tile.ends, { across: tile.ends[0] !== tile.ends[1] }))))))) : null);
  }

  train(owner, photo) {
    const { data, state } = this;
    const tiles = chain(data, owner);
    const line = data.lines.find((one) => one.owner === owner);
    const seat = state.seats.some((one) => one.id === owner);
    const name = ownerName(this.state, owner);
    return h('li', { 'data-train': owner }, h('div.head', {},
      button(ownerMark(this.state, owner, 20), () => this.whose(line, photo), 'owner', { 'data-key': `own${owner}`, disabled: !line?.tiles.length && !line?.at, 'aria-label': t('middle.whose_is', { train: name }) }),
      seat ? button(t('middle.marker'), () => this.change((draft) => mark(draft, owner)), isMarked(data, owner) ? 'marker on' : 'marker',
        { 'data-key': `mark${owner}`, 'aria-pressed': String(isMarked(data, owner)), 'aria-label': t('middle.marker.of', { train: name }) }) : null),
    h('div.line', {}, tiles.map((tile) => this.tile(tile, owner, photo)),
      h('button.tile.add', { type: 'button', 'data-key': `add${owner}`, 'aria-label': t('middle.add', { train: name }), onclick: () => this.add(owner) }, '+')));
  }

  tile(tile, owner, photo) {
    const wrong = this.wrong.get(tile.id);
    const kind = wrong ? 'tile wrong' : tile.doubtful && !tile.confirmed ? 'tile doubtful' : 'tile';
    const told = wrong ? t(`middle.wrong.${wrong.code}`, { tile: written(tile.ends), end: wrong.end }) : t('hand.change', { tile: written(tile.ends) });
    return [wrong?.code === 'join' ? h('button.between', { type: 'button', 'data-key': `gap${tile.id}`, 'aria-label': t('middle.between', { end: wrong.end, near: tile.ends[0] }), onclick: () => this.add(owner, tile.id) }, '+') : null,
      h('button', { type: 'button', class: kind, 'data-key': tile.id, 'aria-label': told, title: wrong ? told : null, onclick: () => this.edit(tile.id, photo) },
        domino(tile.ends, { across: tile.ends[0] !== tile.ends[1] }))];
  }

  turn() {
    return this.seatChoice('turn', t('middle.turn'), this.state.seats.map((seat) => seat.id));
  }

  /** Where several doubles are open it matters which came first, unless the house rules let anyone be covered. */
  first() {
    const open = openDoubles(this.data, this.state);
    return open.length > 1 && this.state.rules.changes.double_order !== 'any' ? this.seatChoice('first', t('middle.first'), [...open].sort()) : null;
  }

  seatChoice(what, legend, values) {
    return h('fieldset.choice', {}, h('legend', {}, h('h2', {}, legend)), values.map((value) => h('label', {}, h('input', { type: 'radio', name: what, value, 'data-key': `${what}${value}`,
      checked: this.data[what] === value, onchange: () => this.change((data) => { data[what] = value; }) }), ownerMark(this.state, value, 20),
    what === 'first' ? ` ${chain(this.data, value).at(-1).ends.join('-')}` : null)));
  }

  hands() {
    const { data, state } = this;
    this.rest = h('p', { role: 'status' });
    const part = h('section', {}, h('h2', {}, t('middle.hands')), h('p.hint', {}, t('middle.hands.how')),
      h('ul.held', {}, state.seats.map((seat) => h('li', {}, h('label', {}, badge(seat), h('bdi', {}, seat.name),
        h('input', { type: 'number', inputmode: 'numeric', min: 0, max: 190, value: held(data, seat.id, state) ?? '', 'data-key': `held${seat.id}`,
          oninput: (event) => { data.hands[seat.id] = event.target.value === '' ? null : Math.min(190, Math.max(0, Math.round(Number(event.target.value)))); this.keep(); this.counted(); } }))))),
      this.rest);
    this.counted();
    return part;
  }

  /** How many that leaves in the boneyard. */
  counted() {
    const left = boneyard(this.data, this.state);
    this.rest.className = left !== null && left < 0 ? 'wrong-sum' : 'muted';
    this.rest.textContent = left === null ? t('middle.boneyard.unknown') : left < 0 ? t('middle.too_many', { count: -left }) : t('middle.boneyard', { count: left });
    if (this.begin) this.label();
  }

  end(unsure) {
    this.unsure = unsure;
    this.begin = button('', () => this.go(), 'main huge', { 'data-key': 'begin' });
    this.label();
    return h('div.row', {}, this.begin);
  }

  /** What the last button says: what is missing, or that it begins. */
  label() {
    const left = boneyard(this.data, this.state);
    const missing = this.unsure ? t('hand.doubts', { count: this.unsure }) : this.data.double === null ? t('middle.double')
      : this.wrong.size ? t('middle.wrong', { count: this.wrong.size }) : !this.data.turn ? t('middle.no_turn') : this.asksFirst && !openDoubles(this.data, this.state).includes(this.data.first) ? t('middle.no_first')
        : left !== null && left < 0 ? t('middle.too_many', { count: -left }) : null;
    this.begin.textContent = missing || t('middle.begin');
    this.begin.disabled = Boolean(missing);
  }

  // -- acting ------------------------------------------------------------------------------------

  whose(line, photo) {
    const { state } = this;
    const back = this.comeBack();
    sheet(t('middle.whose'), (close) => {
      const choose = (owner) => { close(); this.change((data) => tell(data, line.id, owner, state)); back(); };
      const lies = line.tiles.filter((tile) => tile.corners);
      return [photo && lies.length ? lineOnPhoto(photo, lies) : null, h('p.hint', {}, t('middle.whose.how')), h('div.stack', {},
        [...owners(state), ''].map((owner) => button(ownerMark(this.state, owner, 20), () => choose(owner), line.owner === owner ? 'seat-choice chosen' : 'seat-choice', { 'aria-pressed': String(line.owner === owner) })))].filter(Boolean);
    });
  }

  /** A train on its own: what lies there, large, and whose it is. */
  whole(owner, photo) {
    const row = this.place.querySelector(`[data-train="${owner}"]`);
    row.scrollIntoView({ block: 'center' });
    (row.querySelector('.wrong, .doubtful, .tile') || row).focus({ preventScroll: true });
    if (!photo && !chain(this.data, owner).length) this.add(owner);
  }

  /** Where the keyboard was goes on when a dialog closes, though the page was drawn anew. */
  comeBack() {
    const key = document.activeElement?.dataset?.key;
    return () => requestAnimationFrame(() => this.place.querySelector(`[data-key="${key}"]`)?.focus({ preventScroll: true }));
  }

  edit(id, photo) {
    const { tile } = find(this.data, id);
    const back = this.comeBack();
    askTile({ title: t('hand.change', { tile: written(tile.ends) }), tile, photo, setSize: this.state.rules.set_size,
      done: (ends) => { this.change((data) => put(data, id, ends)); back(); }, remove: () => { this.change((data) => remove(data, id)); back(); } });
  }

  add(owner, before = null) {
    const back = this.comeBack();
    const end = before === null ? chain(this.data, owner).at(-1)?.ends[1] ?? this.data.double : find(this.data, before).before;
    askTile({ title: t('middle.add', { train: ownerName(this.state, owner) }), tile: { ends: [end, null], options: [], quick: true }, setSize: this.state.rules.set_size,
      done: (ends) => { this.change((data) => add(data, owner, ends, before)); back(); } });
  }

  clear() {
    this.data = { ...EMPTY, double: this.state.round.double, ignored: this.photo?.id ?? null };
    this.keep();
    this.draw();
  }

  leave() {
    go(`/g/${this.state.id}/now`);
  }

  async go() {
    await attempt(async () => {
      const state = await api('POST', `/games/${this.state.id}/table/start`, beginning(this.data, this.state));
      remember(this.key, { ignored: this.photo?.id ?? null }); // begun: another time with another photo
      this.place.dispatchEvent(new CustomEvent('accepted', { bubbles: true, detail: state }));
    });
  }

  /** The photo waits on the device until the server has it, also when the page is dropped. */
  async send(blob) {
    this.sending = 'sending';
    this.draw();
    const kept = keepPhoto(this.key, blob);
    try {
      const { photo } = await api('POST', `/games/${this.state.id}/table/photo`, blob);
      this.data.mine = photo;
      this.keep();
      await kept;
      await dropPhoto(this.key);
      this.sending = this.drawn = null;
      const fresh = await api('GET', `/games/${this.state.id}`);
      whenLifted(() => { if (!this.closed) this.update(fresh); });
    } catch (error) {
      if (this.closed) return;
      if (error instanceof Offline) {
        this.sending = 'kept';
        this.draw();
        this.timer = setTimeout(() => this.send(blob), AGAIN_MS);
        return;
      }
      await dropPhoto(this.key);
      this.sending = null;
      say(error.message, 'bad');
      this.draw();
    }
  }
}

/** Doubts about how the table lies that people are told of; those about single tiles are asked. */
const SAID = ['starting_double_unseen', 'starting_double_unclear', 'gap', 'two_joins', 'crosswise_not_double', 'free_line', 'loose_or_mexican', 'marker_unclear', 'may_go_on',
  'hub_unclear', 'marker_far', 'marker_odd', 'marker_maybe', 'markers_unseen', 'tile_beyond', 'back_at_end', 'blurred'];

const waiting = (text) => h('div.waiting', { role: 'status' }, h('div.bar', { 'aria-hidden': 'true' }), h('p', {}, text));
const bad = (text) => h('div.notice.bad', { role: 'alert' }, text);
/** A marker is put on a train, or taken off it. */
function mark(data, owner) {
  const on = !isMarked(data, owner);
  let lines = data.lines.filter((line) => line.owner === owner);
  if (!lines.length) { lines = [emptyLine(owner)]; data.lines.push(lines[0]); }
  lines.forEach((line, place) => { line.marker = on && place === 0; });
}
