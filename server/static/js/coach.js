// The best first line of a hand, shown on this device only.

import { api, attempt, button, h, sheet, t } from './lib.js';
import { domino } from './domino.js';

export const Coach = {
  open(tiles, setSize, start = null) {
    const hand = tiles.filter((tile) => !tile.ends.includes(null)).map((tile) => tile.ends);
    let from = start ?? setSize;
    sheet(t('coach.title'), () => {
      const place = h('div.coach', {});
      const draw = async () => {
        const answer = await attempt(() => api('POST', '/line', { tiles: hand, start: from }));
        if (!answer) return;
        place.replaceChildren(
          h('p', {}, answer.line.length ? t('coach.line', { count: answer.line.length, left: answer.left_pips }) : t('coach.none', { start: from })),
          h('div.line', {}, domino([from, from], { across: true }), answer.line.map((ends) => domino(ends, { across: true }))),
          answer.left.length ? h('p.muted', {}, t('coach.left')) : null,
          h('div.tiles', {}, answer.left.map((ends) => domino(ends, { across: true }))));
      };
      draw();
      return [h('p', {}, hand.length ? t('coach.why') : t('coach.empty')),
        h('div.pad', { 'aria-label': t('coach.start') }, Array.from({ length: setSize + 1 }, (_, value) => button(value, () => { from = value; draw(); }))), place];
    });
  },
};
