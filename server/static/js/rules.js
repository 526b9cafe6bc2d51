// House rules: three cards, six questions in plain words, and all the rest for those who want it.

import { api, button, h, hasText, moreTexts, sheet, t } from './lib.js';

export const SET_SIZES = [6, 9, 12, 15, 18];

let known = null;
export async function rulesCatalogue() {
  if (!known) [known] = await Promise.all([api('GET', '/rules'), moreTexts('rules')]);
  return known;
}

/** A value in plain words: of its own option, of any (yes, no, not set), or the number that it is. */
function text(name, value) {
  const key = [`word.${name}.${value}`, `word.${value}`].find(hasText);
  return key ? t(key) : String(value);
}

/** What these rules have chosen for an option, in plain words. */
export async function chosenWord(rules, name) {
  const { options } = await rulesCatalogue();
  return text(name, name in rules.changes ? rules.changes[name] : options.find((option) => option.name === name)?.default);
}

/** A form for rules. `wish` is {preset, changes}; it is changed in place, `onchange` is told. */
export function rulesForm(catalogue, wish, onchange = () => {}) {
  const place = h('div.rules', {});
  const base = () => catalogue.presets.find((preset) => preset.name === wish.preset)?.changes ?? {};
  const value = (option) => (option.name in wish.changes ? wish.changes[option.name]
    : option.name in base() ? base()[option.name] : option.default);
  const set = (name, answer) => {
    wish.changes = { ...wish.changes, [name]: answer };
    onchange();
  };
  const question = ({ name, answers }) => {
    const option = catalogue.options.find((one) => one.name === name);
    const current = value(option);
    const offered = answers.includes(current) ? answers : [...answers, current];
    const why = h('p.hint', {}, hasText(`q.${name}.${current}.why`) ? t(`q.${name}.${current}.why`) : '');
    return h('fieldset.question-rule', {}, h('legend', {}, t(`q.${name}`)), offered.map((answer) => h('label', {},
      h('input', { type: 'radio', name: `q-${name}`, checked: answer === current, onchange: () => {
        set(name, answer);
        why.textContent = hasText(`q.${name}.${answer}.why`) ? t(`q.${name}.${answer}.why`) : '';
      } }), h('span', {}, hasText(`q.${name}.${answer}`) ? t(`q.${name}.${answer}`) : text(name, answer)))), why);
  };
  const control = (option) => {
    const choices = [...option.words, ...(option.numbers ? range(option) : [])];
    return h('label.option', {}, h('span', {}, t(`rule.${option.name}`)), h('select', {
      onchange: (event) => set(option.name, choices[event.target.selectedIndex]) },
    choices.map((choice) => h('option', { selected: choice === value(option) }, text(option.name, choice)))));
  };
  const draw = () => place.replaceChildren(
    catalogue.questions.map(question).reduce((all, one) => { all.append(one); return all; }, h('div', {})),
    h('details', {}, h('summary', {}, t('rules.all')),
      h('label.option', {}, h('span', {}, t('rules.preset')), h('select', { onchange: (event) => {
        wish.preset = catalogue.presets[event.target.selectedIndex].name;
        wish.changes = {};
        onchange();
        draw();
      } }, catalogue.presets.map((preset) => h('option', { selected: preset.name === wish.preset }, t(`preset.${preset.name}`))))),
      groups(catalogue.options).map(([group, options]) => h('section', {}, h('h3', {}, hasText(`group.${group}`) ? t(`group.${group}`) : group), options.map(control)))));
  draw();
  return { place, draw };
}

const range = (option) => Array.from({ length: Math.min(60, option.numbers[1] - option.numbers[0] + 1) }, (_, index) => option.numbers[0] + index);

function groups(options) {
  const found = new Map();
  for (const option of options) found.set(option.group, [...(found.get(option.group) || []), option]);
  return [...found];
}

/** One set, or two mixed. In a `game`, what two sets can't have is said before it is missed. */
export function setsChoice(wish, { onchange = () => {}, game = true } = {}) {
  const price = h('p.hint', { hidden: !wish.mixed, role: 'status' }, t('problem.mixed_table'));
  const choose = (mixed) => {
    wish.mixed = mixed;
    price.hidden = !mixed;
    onchange();
  };
  return h('fieldset.choice', {}, h('legend', {}, t('new.sets')), [false, true].map((mixed) => h('label', {},
    h('input', { type: 'radio', name: 'sets', checked: wish.mixed === mixed, onchange: () => choose(mixed) }), t(mixed ? 'new.sets.two' : 'new.sets.one'))), game ? price : null);
}

export async function editRules(state, done) {
  const catalogue = await rulesCatalogue();
  const preset = catalogue.presets.find((one) => one.name === state.rules.preset);
  const wish = { preset: state.rules.preset, mixed: state.rules.mixed, changes: difference(state.rules.changes, preset?.changes ?? {}) };
  sheet(t('more.rules'), (close) => [setsChoice(wish), rulesForm(catalogue, wish).place,
    h('div.row.sticky', {}, button(t('save'), () => { done(wish); close(); }, 'main'), button(t('cancel'), close))]);
}

const difference = (changes, base) => Object.fromEntries(Object.entries(changes).filter(([name, value]) => base[name] !== value));
