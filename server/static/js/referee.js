// A hand for the referee's eyes: judged, and not kept.

import { api, attempt, button, t } from './lib.js';
import { privateHand } from './privatehand.js';

export function refereeHand(view, turn) {
  const { state } = view;
  privateHand({ state, seat: turn.seat, title: t('dispute.show'), why: t('dispute.private'),
    drawn: (tiles, close) => (tiles.length ? button(t('dispute.judge', { count: tiles.length }), () => attempt(async () => {
      const fresh = await api('POST', `/games/${state.id}/table/turns/${turn.number}/hand`, { tiles });
      close();
      view.update(fresh);
      import('./dispute.js').then(({ openTurn }) => openTurn(view, turn.number));
    }), 'main huge') : null) });
}
