// Begin to follow the round at the table.

import { api, attempt, button, go, h, sheet, t } from './lib.js';
import { badge } from './badge.js';
import { canBeTakenUp } from './now.js';

export function askStart(state) {
  const pulled = state.rules.changes.engine_source === 'pulled';
  const double = `${state.round.double}-${state.round.double}`;
  sheet(t(pulled ? 'follow.starts' : 'follow.laid', { double }), (close) => [
    h('p', {}, t('follow.why')),
    h('div.stack', {}, state.seats.map((seat) => button([badge(seat), h('span', {}, seat.name)], () => attempt(async () => {
      await api('POST', `/games/${state.id}/table/start`, { who: seat.id, version: state.version });
      close();
    }), 'seat-choice'))),
    canBeTakenUp(state) ? h('div.row', {}, button(t('middle.open'), () => { close(); go(`/g/${state.id}/now/middle`); }))
      : state.rules.changes.double_answers === 3 ? h('p.hint', {}, t('middle.no_toes')) : null,
  ].filter(Boolean));
}
