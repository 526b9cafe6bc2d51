// A hand for the referee's eyes: photographed or tapped in, judged, and not kept.

import { api, attempt, button, h, sheet, t } from './lib.js';
import { domino } from './domino.js';
import { askTile } from './tilepad.js';

export function refereeHand(view, turn) {
  const { state } = view;
  let tiles = [];
  sheet(t('dispute.show'), (close) => {
    const place = h('div.stack', {});
    const draw = () => place.replaceChildren(
      h('p', {}, t('dispute.private')),
      h('label.button.main', {}, t('hand.take'), h('input', { type: 'file', accept: 'image/*', capture: 'environment', onchange: (event) => photograph(event.target.files[0]) })),
      button(t('hand.type'), () => askTile({ title: t('hand.add'), setSize: state.rules.set_size, more: true, done: (ends) => { tiles.push(ends); draw(); } })),
      h('div.tiles', {}, tiles.map((ends, index) => h('button.tile', { type: 'button', 'aria-label': t('hand.remove'), onclick: () => { tiles.splice(index, 1); draw(); } }, domino(ends, { across: true })))),
      tiles.length ? button(t('dispute.judge', { count: tiles.length }), () => judge(), 'main huge') : '');
    const judge = () => attempt(async () => {
      const fresh = await api('POST', `/games/${state.id}/table/turns/${turn.number}/hand`, { tiles });
      close();
      view.update(fresh);
      import('./dispute.js').then(({ openTurn }) => openTurn(view, turn.number));
    });
    const photograph = (blob) => attempt(async () => {
      const { photo } = await api('POST', `/games/${state.id}/rounds/${state.round.number}/hands/${turn.seat}/photo?purpose=coach`, blob);
      for (let tries = 0; tries < 60; tries += 1) {
        const answer = await api('GET', `/games/${state.id}/photos/${photo}/reading`);
        if (answer.reading) { tiles = answer.reading.tiles.map((tile) => tile.ends).filter((ends) => !ends.includes(null)); draw(); return; }
        if (answer.problem) throw new Error(t(`problem.${answer.problem.code}`, answer.problem.params));
        await new Promise((resolve) => { setTimeout(resolve, 300); });
      }
    });
    draw();
    return place;
  });
}
