// The line to the server: the state comes whenever it changes, and a page that wakes up asks at once.

import { api, Offline, Refused } from './lib.js';

const SILENCE_MS = 45_000;
const AFTER_TOUCH_MS = 60; // the click comes a moment after the finger has left

// A page that is drawn anew under a finger loses the tap: news wait until it is lifted.
let pressed = false;
const waiting = [];
addEventListener('pointerdown', () => { pressed = true; }, true);
for (const end of ['pointerup', 'pointercancel']) {
  addEventListener(end, () => setTimeout(() => {
    pressed = false;
    for (const work of waiting.splice(0)) work();
  }, AFTER_TOUCH_MS), true);
}

/** Draw what is new as soon as no finger is on the page. */
export function whenLifted(work) {
  if (pressed) waiting.push(work);
  else work();
}

const CLOCK_PUT_BACK_US = 10_000_000; // answers overtake each other by less

/** Whether what is known is newer than `state`: answers and the line's news overtake each other. */
export function overtaken(state, known) {
  if (!known || known.id !== state.id || state.version > known.version) return false;
  const late = known.told - state.told;
  return state.version < known.version || (late > 0 && late < CLOCK_PUT_BACK_US);
}

/** The server was brought up to date while this page was open: the page follows, once, when nobody is busy with it. */
function renew(version) {
  const mine = document.querySelector('meta[name="shell"]').content;
  const busy = document.querySelector('dialog[open]') || document.activeElement?.matches('input, select, textarea');
  if (version === mine || busy || sessionStorage.getItem('renewed') === version) return;
  sessionStorage.setItem('renewed', version);
  location.reload();
}

export class Line {
  constructor(gameId, { onstate, ongone, online }) {
    this.gameId = gameId;
    this.handlers = { onstate, ongone, online };
    this.closed = false;
    this.tries = 0;
    this.wake = () => { if (document.visibilityState === 'visible') this.fresh(); };
    document.addEventListener('visibilitychange', this.wake);
    addEventListener('pageshow', this.wake);
    addEventListener('online', this.wake);
    this.watch = setInterval(() => { if (Date.now() - this.heard > SILENCE_MS) this.connect(); }, 5000);
    this.connect();
  }

  connect() {
    if (this.closed) return;
    this.heard = Date.now();
    clearTimeout(this.again);
    if (this.socket) {
      this.socket.onclose = null;
      this.socket.close();
    }
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${this.gameId}/live`);
    this.socket = socket;
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = () => {
      if (this.closed) return;
      this.handlers.online(false);
      this.tries += 1;
      this.again = setTimeout(() => this.connect(), Math.min(500 * this.tries, 4000));
    };
  }

  hear(message) {
    this.heard = Date.now();
    this.tries = 0;
    if (message.type === 'gone') {
      this.close();
      this.handlers.ongone(message.error);
      return;
    }
    this.handlers.online(true);
    if (message.type !== 'state') return;
    renew(message.shell);
    this.tell(message.state);
  }

  tell(state) {
    whenLifted(() => { if (!this.closed) this.handlers.onstate(state); });
  }

  /** Ask for the state now, whatever the socket believes, and see that it lives. */
  async fresh() {
    if (this.closed) return;
    if (this.socket.readyState !== WebSocket.OPEN) this.connect();
    try {
      this.tell(await api('GET', `/games/${this.gameId}`));
      this.handlers.online(true);
    } catch (error) {
      if (error instanceof Offline) this.handlers.online(false);
      else if (error instanceof Refused && [403, 404].includes(error.status)) this.handlers.ongone(error);
      else throw error;
    }
  }

  close() {
    this.closed = true;
    clearInterval(this.watch);
    clearTimeout(this.again);
    document.removeEventListener('visibilitychange', this.wake);
    removeEventListener('pageshow', this.wake);
    removeEventListener('online', this.wake);
    this.socket.onclose = null;
    this.socket.close();
  }
}
