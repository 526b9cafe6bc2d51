// What every page uses: elements, texts, the server, short messages.

const SVG = 'http://www.w3.org/2000/svg';
const SVG_TAGS = new Set(['svg', 'g', 'path', 'rect', 'circle', 'line', 'polygon', 'polyline', 'text', 'image',
  'defs', 'clipPath', 'pattern', 'tspan', 'title', 'desc', 'use']);

/** Build an element. Attributes starting with `on` are listeners; `style` is an object. */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = SVG_TAGS.has(name) && (name !== 'title' || attributes.svg)
    ? document.createElementNS(SVG, name) : document.createElement(name);
  if (classes.length) element.setAttribute('class', classes.join(' '));
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false || key === 'svg') continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'style') for (const [property, setting] of Object.entries(value)) element.style.setProperty(property, setting);
    else if (key === 'class') element.setAttribute('class', [...classes, value].join(' '));
    else if (key === 'value') element.value = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  const inside = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  const plain = element.namespaceURI === SVG || ['title', 'option', 'textarea'].includes(name);
  element.append(...(plain ? inside : inside.map(unbroken)));
  return element;
}

const TILE = /(?<![\w-])((?:\d{1,2}|\?)-(?:\d{1,2}|\?))(?![\w-])/;

/** A text whose tiles ("10-4") stay on one line. By an element of its own: signs that join would be copied and read out. */
function unbroken(text) {
  if (typeof text !== 'string' || !TILE.test(text)) return text;
  const whole = document.createElement('tile-text'); // one child, as the text was
  whole.append(...text.split(TILE).map((part, place) => {
    if (place % 2 === 0) return part;
    const tile = document.createElement('tile-name');
    tile.append(part);
    return tile;
  }));
  return whole;
}

/** Looks that only some pages need; resolved when they are there, or can't be had. */
export const looks = (name) => new Promise((resolve) => {
  document.head.append(h('link', { rel: 'stylesheet', href: `/static/${name}.css`, onload: resolve, onerror: resolve }));
});

let texts = {};
export let language = 'en';

export async function loadTexts(wanted) {
  language = wanted;
  texts = await (await fetch(`/texts/${wanted}.json`)).json();
  document.documentElement.lang = wanted;
}

/** Further texts that only some pages need. */
export async function moreTexts(name) {
  Object.assign(texts, await (await fetch(`/texts/${language}/${name}.json`)).json());
}

/** A text by its key. `{name}` is replaced; with `count` 1 the key's `.one` form is taken. */
export function t(key, params = {}) {
  const text = (params.count === 1 && texts[`${key}.one`]) || texts[key] || key;
  return joined(text.replace(/(\bde )?\{(\w+)\}/g, (all, before = '', name) => {
    const value = params[name] ?? `{${name}}`;
    return `${language === 'fr' && before && VOWEL.test(value) ? 'd\u2019' : before}${apart(value)}`;
  }));
}

/** French and Spanish draw "of the train" and "to the train" together. */
const TRAINS = { fr: [['de le train', 'du train'], ['\u00e0 le train', 'au train']], es: [['de el tren', 'del tren'], ['a el tren', 'al tren']] };
const joined = (text) => (TRAINS[language] || []).reduce((all, [apart, one]) => all.replaceAll(` ${apart}`, ` ${one}`), text);

/** French says d'Ana, not de Ana; but de Yann. */
const VOWEL = /^([aeiouhàâäæèéêëîïòôöùûüœ]|y[^aeiouy])/i;

/** A name in letters that run the other way must not turn the sentence round it. */
const apart = (value) => (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(value) ? `\u2068${value}\u2069` : value);

export const hasText = (key) => key in texts;

/** Why something was refused or failed. A reason that has a code of its own is said in the reader's language. */
export function problem({ code, params = {}, message }) {
  if (!hasText(`problem.${code}`)) return message || code;
  const own = {};
  if (hasText(`fault.${params.fault}`)) own.reason = t(`fault.${params.fault}`, params);
  if (hasText(`clash.${params.clash}`)) own.detail = t(`clash.${params.clash}`, params);
  return t(`problem.${code}`, { ...params, ...own });
}

/** What the server refused, and why. */
export class Refused extends Error {
  constructor(status, error, state) {
    super(problem(error));
    this.status = status;
    this.code = error.code;
    this.state = state;
  }
}

/** The server can't be reached at the moment. */
export class Offline extends Error {}

export async function api(method, path, body) {
  const options = { method, headers: {} };
  if (body instanceof Blob) {
    options.body = body;
    options.headers['content-type'] = body.type || 'application/octet-stream';
  } else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers['content-type'] = 'application/json';
  }
  let response;
  try {
    response = await fetch(`/api${path}`, options);
  } catch {
    throw new Offline(t('offline'));
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, answer.error || { code: 'http' }, answer.state);
  return answer;
}

/** A short message at the edge of the screen; with `act` ([label, work]) a button that goes with it. */
export function say(text, kind = '', act = null) {
  const toast = h('div.toast', { class: kind }, text, act ? button(act[0], () => { toast.remove(); act[1](); }, 'small') : null);
  document.getElementById('toasts').replaceChildren(toast);
  setTimeout(() => toast.remove(), kind === 'bad' || act ? 7000 : 3500);
}

/** What was said is settled. */
export const hush = () => document.getElementById('toasts').replaceChildren();

/** Run what a button does; say what went wrong. */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Offline)) console.error(error);
    say(error.message, 'bad');
    return undefined;
  }
}

export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch { /* private browsing: the server keeps it anyway */ }
}

export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** A dialog from the bottom of the screen. `fill` gets a function that closes it. */
export function sheet(title, fill, { onclose } = {}) {
  const dialog = h('dialog.sheet', { 'aria-label': title });
  const close = () => dialog.close();
  dialog.append(h('div.sheet-head', {}, h('h2', {}, title),
    h('button.plain', { type: 'button', 'aria-label': t('close'), onclick: close }, '✕')), ...[fill(close)].flat(Infinity).filter((part) => part || part === 0));
  dialog.addEventListener('close', () => { dialog.remove(); onclose?.(); });
  dialog.addEventListener('click', (event) => { if (event.target === dialog) close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function confirmed(question, yes, danger = false) {
  return new Promise((resolve) => {
    let answer = false;
    sheet(question, (close) => h('div.row', {},
      h('button', { type: 'button', class: danger ? 'danger' : 'main', onclick: () => { answer = true; close(); } }, yes),
      h('button', { type: 'button', onclick: close }, t('cancel'))), { onclose: () => resolve(answer) });
  });
}

export const button = (label, onclick, kind = '', extra = {}) =>
  h('button', { type: 'button', class: kind, onclick, ...extra }, label);

export function go(path) {
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
}

export const link = (path, ...children) => h('a', {
  href: path,
  onclick: (event) => { if (!event.ctrlKey && !event.metaKey) { event.preventDefault(); go(path); } },
}, ...children);
