// "Was that right?": a turn with the table before and after it, the verdict, and what would settle it.

import { api, attempt, button, h, sheet, t } from './lib.js';
import { actsText, nameOf, rulingText } from './ruling.js';
import { pictures } from './evidence.js';
import { rests } from './table.js';
import { tracks } from './tracks.js';

export async function openTurn(view, number) {
  const { state } = view;
  const turn = await attempt(() => api('GET', `/games/${state.id}/table/turns/${number}`));
  if (!turn) return;
  const changed = (shown) => ({ ...shown, trains: shown.trains.filter((train) => {
    const other = turn.after.trains.find((one) => one.id === train.id);
    const before = turn.before.trains.find((one) => one.id === train.id);
    return !other || !before || other.tiles.length !== before.tiles.length || other.marker !== before.marker || train.id === turn.seat;
  }) });
  const mine = state.you.seat === turn.seat || (state.you.host && state.one_phone);
  sheet(t('dispute.title', { number, name: nameOf(state, turn.seat) }), (close) => [
    h('p', {}, actsText(state, turn.acts)),
    h('div.verdict', { class: turn.verdict }, h('h3', {}, t(`verdict.${turn.verdict}`)), h('p', {}, rulingText(state, turn.code, turn.params)),
      rests(state, turn), turn.note ? h('p', {}, t('verdict.note', { note: turn.note })) : null,
      turn.shown ? h('p', {}, t(`proof.${turn.shown}`, { name: nameOf(state, turn.seat) })) : null),
    pictures(state, turn.acts),
    h('div.before-after', {},
      h('figure', {}, h('figcaption', {}, t('dispute.before')), tracks(state, changed(turn.before))),
      h('figure', {}, h('figcaption', {}, t('dispute.after')), tracks(state, changed(turn.after), { changed: turn.before }))),
    turn.asks && !turn.shown ? h('div.notice', {}, h('p', {}, t('dispute.settle', { name: nameOf(state, turn.seat) })),
      mine ? button(t('dispute.show'), () => { close(); showHand(view, turn); }, 'main') : null) : null,
    state.you.host || state.you.seat ? h('div.row', {},
      button(t('dispute.accept'), close, 'main'),
      turn.version ? button(t('table.take_back'), () => { close(); view.back(turn.version); }) : null) : null,
  ]);
}

/** The hand goes to the referee only: a photo that nobody else sees, or tiles tapped in. */
function showHand(view, turn) {
  import('./referee.js').then(({ refereeHand }) => refereeHand(view, turn));
}
