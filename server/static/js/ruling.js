// What the referee says, with people's names in it.

import { hasText, t } from './lib.js';

export const nameOf = (state, id) => state.seats.find((seat) => seat.id === id)?.name ?? id;

export function trainName(state, id) {
  if (id === 'M') return t('train.mexican');
  if (/^M\d/.test(id)) return t('train.mexican_n', { number: id.slice(1) });
  return t('train.of', { name: nameOf(state, id) });
}

/** The sentence of a code from the engine. */
export function rulingText(state, code, params) {
  const values = { ...params };
  for (const key of ['seat', 'to_move', 'by']) if (params[key]) values[key] = nameOf(state, params[key]);
  for (const key of ['train', 'double_train']) if (params[key]) values[`${key}_name`] = trainName(state, params[key]);
  if (values.train_name) values.train_name_start = values.train_name[0].toUpperCase() + values.train_name.slice(1);
  if (typeof values.tile === 'string') values.tile = values.tile.replace('|', '-');
  return t(hasText(`ruling.${code}`) ? `ruling.${code}` : `ruling.${code.split('.')[0]}`, values);
}

/** What a turn did, in a few words: tiles laid one after the other on the same train are named together. */
export function actsText(state, acts) {
  const words = acts.map((act, index) => {
    if (act.gone) return t('act.was_none', { tile: act.tile.join('-') });
    if (act.do === 'lay') {
      if (goesOn(acts[index - 1], act)) return null;
      let last = index + 1;
      while (goesOn(act, acts[last])) last += 1;
      return t('act.laid', { tiles: acts.slice(index, last).map((one) => one.tile.join('-')).join(', '), train: trainName(state, act.train) });
    }
    if (act.do === 'draw') return t('act.draw');
    if (act.do === 'call') return t('act.call');
    if (act.do === 'catch') return t('act.catch', { name: nameOf(state, act.seat) });
    return null;
  }).filter(Boolean);
  return words.length ? words.join(', ') : t('act.pass');
}

const goesOn = (act, next) => act?.do === 'lay' && next?.do === 'lay' && act.train === next.train && !act.gone && !next.gone;
