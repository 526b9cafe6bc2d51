// A hand that only its owner sees here: photographed or tapped in, used for one answer, not put on the sheet.

import { api, attempt, button, h, problem, sheet, t } from './lib.js';
import { domino, written } from './domino.js';
import { askTile } from './tilepad.js';

const POLL_MS = 250;
const PATIENCE_MS = 60_000;

/** `drawn(tiles, close)` gives what stands under the tiles (their ends); it is asked again whenever they change. */
export function privateHand({ state, seat, title, why, drawn }) {
  let tiles = [];
  sheet(title, (close) => {
    const place = h('div.stack', {});
    const draw = (waiting = false) => place.replaceChildren(...[
      h('p', {}, why),
      waiting ? h('div.waiting', { role: 'status' }, h('div.bar', {}), h('p', {}, t('hand.reading'))) : null,
      h('div.row', {}, h('label.button', { class: tiles.length ? '' : 'main' }, t('hand.take'), h('input', { type: 'file', accept: 'image/*',
        onchange: (event) => { if (event.target.files[0]) photograph(event.target.files[0]); } })),
      button(t('hand.type'), () => askTile({ title: t('hand.add'), setSize: state.rules.set_size, more: true, done: (ends) => { tiles.push({ ends }); draw(); } }))),
      tiles.some((tile) => tile.doubtful) ? h('p.notice', {}, t('hand.unsure')) : null,
      h('div.tiles', {}, tiles.map(({ ends, doubtful }, index) => h('button.tile', { type: 'button', class: doubtful ? 'doubtful' : '', 'aria-label': t('hand.change', { tile: written(ends) }), onclick: () => change(index) },
        domino(ends, { across: true })))),
      ...[drawn(tiles.map((tile) => tile.ends), close)].flat(),
    ].filter(Boolean));
    const change = (index) => askTile({ title: t('hand.change', { tile: written(tiles[index].ends) }), setSize: state.rules.set_size, tile: { options: [], ...tiles[index] },
      done: (ends) => { tiles[index] = { ends }; draw(); }, remove: () => { tiles.splice(index, 1); draw(); } });
    const photograph = async (blob) => {
      draw(true);
      const seen = await attempt(() => readPhoto(state, seat, blob));
      if (seen) tiles = seen;
      draw();
    };
    draw();
    return place;
  });
}

async function readPhoto(state, seat, blob) {
  const { photo } = await api('POST', `/games/${state.id}/rounds/${state.round.number}/hands/${seat}/photo?purpose=coach`, blob);
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const answer = await api('GET', `/games/${state.id}/photos/${photo}/reading`);
    if (answer.reading) return answer.reading.tiles.map(({ ends, doubtful, options }) => ({ ends, doubtful, options })).filter(({ ends }) => !ends.includes(null));
    if (answer.problem) throw new Error(problem(answer.problem));
    await new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
  }
  throw new Error(t('problem.reader_broken'));
}
