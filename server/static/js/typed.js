// A number pad for totals: large keys, no keyboard that covers half the screen.

import { button, h, sheet, t } from './lib.js';

/** `done(total)`; `hint` stands above the pad. */
export function askTotal(title, done, hint = '') {
  let text = '';
  sheet(title, (close) => {
    const shown = h('output.number', { 'aria-live': 'polite' }, '–');
    const press = (digit) => {
      if (text.length < 4) text = String(Number(text + digit));
      shown.textContent = text;
    };
    const finish = () => { if (text !== '') { done(Number(text)); close(); } };
    return h('div.tilepad', {
      onkeydown: (event) => {
        if (/^\d$/.test(event.key)) press(event.key);
        if (event.key === 'Enter') finish();
      },
    }, hint ? h('p.hint', {}, hint) : '', shown,
    h('div.pad.digits', {}, [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => button(digit, () => press(digit))),
      button('⌫', () => { text = text.slice(0, -1); shown.textContent = text || '–'; }, '', { 'aria-label': t('delete') }),
      button(0, () => press(0)), button('✓', finish, 'main', { 'aria-label': t('done') })));
  });
}
