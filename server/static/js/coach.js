// The best first line of a hand, shown on this device only.

import { api, attempt, button, h, sheet, t } from './lib.js';
import { domino } from './domino.js';
import { privateHand } from './privatehand.js';

/** The answer for a hand; another starting double can be tapped. */
export function bestLine(hand, setSize, start) {
  const place = h('div.coach', {});
  const draw = async (from) => {
    const answer = await attempt(() => api('POST', '/line', { tiles: hand, start: from }));
    if (!answer) return;
    place.replaceChildren(
      h('p', {}, answer.line.length ? t('coach.line', { count: answer.line.length, left: answer.left_pips }) : t('coach.none', { start: from })),
      h('div.line', {}, domino([from, from]), answer.line.map((ends) => domino(ends, { across: ends[0] !== ends[1] }))),
      answer.left.length ? h('p.muted', {}, t('coach.left')) : '',
      h('div.tiles', {}, answer.left.map((ends) => domino(ends, { across: true }))));
  };
  draw(start);
  return [place, h('details', {}, h('summary', {}, t('coach.start')),
    h('div.pad', {}, Array.from({ length: setSize + 1 }, (_, value) => button(value, () => draw(value)))))];
}

/** For a hand that was counted on its own. */
export function coachFor(tiles, setSize) {
  const hand = tiles.filter((tile) => !tile.ends.includes(null)).map((tile) => tile.ends);
  sheet(t('coach.title'), () => [h('p', {}, hand.length ? t('coach.why') : t('coach.empty')), hand.length ? bestLine(hand, setSize, setSize) : ''].flat());
}

/** In a game: one's own hand before the first turn. */
export function coachInGame(state, seat) {
  privateHand({ state, seat, title: t('coach.title'), why: t('coach.why'),
    drawn: (tiles) => (tiles.length ? bestLine(tiles, state.rules.set_size, state.round.double ?? state.rules.set_size) : null) });
}
