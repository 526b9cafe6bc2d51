// How a hand came to its points: its tiles, what was put right, and the photo for whoever may see it.

import { api, attempt, button, h, sheet, t } from './lib.js';
import { domino, written } from './domino.js';

export async function openHand(state, round, seat, correct) {
  const hand = await attempt(() => api('GET', `/games/${state.id}/rounds/${round.number}/hands/${seat.id}`));
  if (!hand) return;
  const change = (edit) => h('li', {}, edit.before && edit.after ? t('handview.changed', { before: written(edit.before), after: written(edit.after) })
    : edit.after ? t('handview.added', { tile: written(edit.after) }) : t('hand.removed', { tile: written(edit.before) }));
  sheet(t('handview.title', { name: seat.name, round: round.number }), (close) => [
    h('div.total.done', {}, h('span.number', {}, round.points[seat.id]), h('span', {}, hand.typed ? t('hand.typed') : hand.out ? t('hand.out_short') : t('hand.count', { count: hand.tiles.length }))),
    h('div.tiles', {}, hand.tiles.map((ends) => domino(ends, { across: true }))),
    hand.photo ? h('img.shared', { src: `/api/games/${state.id}/photos/${hand.photo.id}`, alt: t('handview.photo') }) : null,
    hand.edits.length || hand.corrections.length ? h('h3', {}, t('handview.edits')) : null,
    h('ul', {}, hand.edits.map(change), hand.corrections.map((one) => h('li', {}, t('sheet.corrected', { name: seat.name, ...one }), one.note ? ` (${one.note})` : ''))),
    correct ? button(t('handview.correct'), () => { close(); correct(); }, 'main') : null,
  ].filter(Boolean));
}
