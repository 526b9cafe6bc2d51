// A low voice for what is easily forgotten: hands are being counted and one is still missing.

import { button, go, h, say, t } from './lib.js';

const PAUSE_MS = 25_000;

const counted = (state) => state.seats.filter((seat) => state.hands[seat.id].state === 'done');
const missing = (state) => state.seats.filter((seat) => state.hands[seat.id].state !== 'done');

/** My hand is still to be counted while others have theirs on the sheet. */
export const mineIsMissing = (state) => !state.round.over && counted(state).length > 0
  && state.hands[state.you.seat]?.state === 'waiting';

/** A notice with the way to the camera; for who has counted, and for the host, whose hands are waited for. */
export function reminder(state) {
  const done = counted(state);
  if (state.round.over || !done.length || state.you.waiting) return null;
  const out = done.find((seat) => state.hands[seat.id].out);
  if (mineIsMissing(state)) {
    return h('div.notice.reminder', { role: 'status' }, h('p', {}, out ? t('remind.out', { name: out.name }) : t('remind.counting', { names: names(done) })),
      button(t('remind.count'), () => go(`/g/${state.id}/hand/${state.you.seat}`), 'main huge'));
  }
  return h('div.notice.reminder', { role: 'status' }, h('p', {}, t('hand.waiting_for', { names: names(missing(state)) })),
    state.you.host ? h('div.row', {}, missing(state).map((seat) => button(t('remind.for', { name: seat.name }), () => go(`/g/${state.id}/hand/${seat.id}`), 'small'))) : null);
}

/** Once a round, after a pause, wherever in the game the page is. */
export class Reminder {
  constructor(where) {
    Object.assign(this, { where, said: 0, timer: null });
  }

  update(state) {
    const due = mineIsMissing(state) && this.where() !== 'hand' && this.said !== state.round.number;
    if (!due) { this.close(); return; }
    this.timer ??= setTimeout(() => {
      this.timer = null;
      if (this.where() === 'hand') return;
      this.said = state.round.number;
      navigator.vibrate?.(120);
      say(t('remind.mine'));
    }, PAUSE_MS);
  }

  close() {
    clearTimeout(this.timer);
    this.timer = null;
  }
}

const names = (seats) => seats.map((seat) => seat.name).join(', ');
