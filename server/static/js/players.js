// A player's name, colour and shape.

import { button, h, sheet, t } from './lib.js';
import { badge, COLOURS, shapeNames } from './badge.js';

export function playerEditor(player, done) {
  const wish = { name: player.name, colour: player.colour, shape: player.shape };
  sheet(t('player.title'), (close) => {
    const shown = h('div.centred', {});
    const show = () => shown.replaceChildren(badge(wish, 'huge'));
    const choose = (kind, value, seat) => h('button', { type: 'button', class: 'swatch', 'aria-label': t(`${kind}.${value}`),
      onclick: () => { wish[kind] = value; show(); } }, badge(seat));
    show();
    return h('form.stack', { onsubmit: (event) => { event.preventDefault(); done(wish); close(); } }, shown,
      h('label.field', {}, t('player.name'), h('input', { value: wish.name, maxlength: 24, required: true, autocomplete: 'off',
        oninput: (event) => { wish.name = event.target.value; } })),
      h('div.swatches', { role: 'group', 'aria-label': t('player.colour') }, Object.keys(COLOURS).map((colour) => choose('colour', colour, { colour, shape: 'circle' }))),
      h('div.swatches', { role: 'group', 'aria-label': t('player.shape') }, shapeNames.map((shape) => choose('shape', shape, { colour: 'grey', shape }))),
      h('button.main', { type: 'submit' }, t('save')), button(t('cancel'), close));
  });
}
