// A hand that is being counted, as this device has it. It is kept on the device at once and on the server soon.

import { api, Offline, recall, Refused, remember, say, t } from './lib.js';

const EMPTY = { base: 0, photo: null, tiles: [], out: false, typed: null, dirty: false, elsewhere: false };

export class Draft {
  constructor(gameId, round, seat, onchange) {
    this.path = `/games/${gameId}/rounds/${round}/hands/${seat}`;
    this.key = `draft:${gameId}:${round}:${seat}`;
    this.onchange = onchange;
    this.data = { ...EMPTY, ...(recall(this.key) || {}) };
    if (this.data.dirty) this.soon();
  }

  /** What the server has. Newer than ours wins, and says so if we had changed something meanwhile. */
  absorb(server) {
    // What is being sent now is told to everybody, and that may be here before its own answer.
    if (this.pushing) { this.overtaken = { server }; return; }
    const version = server ? server.version : 0;
    if (version === this.data.base && this.data.dirty) { this.soon(); return; }
    if (version < this.data.base && server) return; // an answer that was overtaken
    if (version === this.data.base && version > 0) { this.take(server); return; }
    const read = server?.photo && server.photo !== this.data.photo; // a new photo was read: nobody's change
    if (this.data.base > 0 && (this.data.dirty || (server && !server.elsewhere && !read))) say(t('hand.changed_elsewhere'), 'bad');
    if (server) this.take(server);
    else if (this.data.base > 0) this.data = { ...EMPTY };
    this.keep();
  }

  take(server) {
    this.data = { base: server.version, photo: server.photo, tiles: server.tiles, out: server.out,
      typed: server.typed, dirty: false, elsewhere: Boolean(server.elsewhere) };
  }

  keep() {
    remember(this.key, this.data);
  }

  change(work) {
    work(this.data);
    Object.assign(this.data, { dirty: true, elsewhere: false });
    this.keep();
    this.onchange();
    this.soon();
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.push(), 250);
  }

  /** Bring the server up to date. True if it is. */
  async push() {
    clearTimeout(this.timer);
    while (this.pushing) await this.pushing;
    if (!this.data.dirty) return true;
    this.pushing = this.send();
    try {
      return await this.pushing;
    } finally {
      this.pushing = null;
      const { overtaken } = this;
      this.overtaken = null;
      if (overtaken) { this.absorb(overtaken.server); this.onchange(); }
    }
  }

  async send() {
    const sent = JSON.stringify([this.data.tiles, this.data.out, this.data.typed]);
    try {
      const answer = await api('PUT', `${this.path}/draft`, {
        version: this.data.base, out: this.data.out, typed: this.data.typed,
        tiles: this.data.tiles.map(({ id, ends, confirmed, at }) => ({ id, ends, confirmed: !!confirmed, ...(at ? { at } : {}) })),
      });
      this.data.base = answer.version;
      this.data.dirty = sent !== JSON.stringify([this.data.tiles, this.data.out, this.data.typed]);
      this.keep();
      if (this.data.dirty) this.soon();
      return !this.data.dirty;
    } catch (error) {
      if (error instanceof Offline) { this.timer = setTimeout(() => this.push(), 3000); return false; }
      if (!(error instanceof Refused)) throw error;
      this.data.dirty = false;
      say(error.message, 'bad');
      const seat = this.path.split('/').pop();
      if (error.state) { this.take(error.state.drafts[seat] || { version: 0, ...EMPTY }); this.keep(); this.onchange(); }
      return false;
    }
  }

  forget() {
    clearTimeout(this.timer);
    remember(this.key, null);
  }

  get doubts() {
    return this.data.tiles.filter((tile) => tile.doubtful && !tile.confirmed);
  }

  total(points) {
    if (this.data.typed !== null) return this.data.typed;
    return this.data.tiles.reduce((sum, { ends }) => {
      if (ends.includes(null)) return sum;
      const [low, high] = [...ends].sort((a, b) => a - b);
      return sum + (points[`${low}-${high}`] ?? low + high);
    }, 0);
  }
}
