// A line of text, for instance why something was let stand.

import { h, sheet, t } from './lib.js';

export function askNote(title, done) {
  sheet(title, (close) => {
    const input = h('input', { maxlength: 200, autocomplete: 'off' });
    return h('form.stack', { onsubmit: (event) => { event.preventDefault(); done(input.value); close(); } },
      h('label.field', {}, t('note'), input), h('button.main', { type: 'submit' }, title));
  });
}
