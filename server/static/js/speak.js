// Spoken announcements: off until somebody wants them, and then only what was chosen.

import { button, h, language, recall, remember, sheet, t } from './lib.js';
import { nameOf, rulingText, trainName } from './ruling.js';

const KINDS = ['foul', 'marker', 'double', 'turn'];

export const chosen = () => recall('speak') || [];
export const canSpeak = () => 'speechSynthesis' in window;

/** What is said of the way from one state to the next: the weightiest first. */
export function news(before, state) {
  const [old, table] = [before?.table, state.table];
  if (!old || !table || old.round !== table.round) return [];
  const said = [];
  if (table.foul && table.foul.version !== old.foul?.version) said.push(['foul', rulingText(state, table.foul.code, table.foul.params)]);
  for (const train of table.trains) {
    const was = old.trains.find((one) => one.id === train.id);
    if (train.marker && !was?.marker) said.push(['marker', t('say.marker', { train: trainName(state, train.id) })]);
  }
  const owed = (one) => one.owed && `${one.owed.train} ${one.owed.value}`;
  if (table.owed && owed(table) !== owed(old)) {
    const { train, value } = table.owed;
    said.push(['double', t('table.covers', { double: `${value}-${value}`, train: trainName(state, train), name: nameOf(state, table.to_move) })]);
  }
  if (table.to_move && table.to_move !== old.to_move) said.push(['turn', t('table.turn', { name: nameOf(state, table.to_move) })]);
  return said;
}

/** Say what is new, with a voice of this device in the language of the page. */
export function announce(before, state) {
  const wanted = chosen();
  if (!wanted.length || !canSpeak()) return;
  for (const [, text] of news(before, state).filter(([kind]) => wanted.includes(kind))) speak(text);
}

const ownVoice = () => speechSynthesis.getVoices().find((one) => one.localService && one.lang.toLowerCase().startsWith(language));

/** False where this device has only voices from elsewhere: nothing leaves the house. */
function speak(text) {
  const voice = ownVoice();
  if (!voice && speechSynthesis.getVoices().length) return false;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language;
  if (voice) words.voice = voice;
  speechSynthesis.speak(words);
  return true;
}

export function chooseWhatIsSaid() {
  const none = h('p.notice', { hidden: true, role: 'status' }, t('say.no_voice'));
  sheet(t('say.title'), () => [
    h('p.hint', {}, t('say.why')),
    h('div', {}, KINDS.map((kind) => h('label.option', {}, h('span', {}, t(`say.kind.${kind}`)), h('input', {
      type: 'checkbox', checked: chosen().includes(kind), onchange: (event) => {
        remember('speak', KINDS.filter((one) => (one === kind ? event.target.checked : chosen().includes(one))));
      } })))),
    none,
    h('div.row', {}, button(t('say.try'), () => { none.hidden = speak(t('say.sample')); })),
  ]);
}
