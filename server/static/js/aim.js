// Aiming the camera: the live picture with every tile outlined, what is measured, and one thing to do at a time.

import { api, h, sheet, t } from './lib.js';

const EVERY_MS = 1000;

export function openAim(gameId) {
  let timer = null;
  sheet(t('aim.title'), (close) => {
    const picture = h('div.photo.aimed', {});
    const word = h('div.aim-word', { role: 'status' });
    const list = h('ul.aim-list', {});
    const image = h('img', { alt: t('camera.picture') });
    picture.append(image);
    const end = h('button', { type: 'button', onclick: close }, t('aim.skip'));
    const look = async () => {
      const { aim } = await api('GET', `/games/${gameId}/camera/aim`).catch(() => ({ aim: null }));
      image.src = `/api/games/${gameId}/camera/picture?${Date.now()}`;
      draw(aim, { picture, image, word, list });
      end.textContent = t(aim?.good ? 'done' : 'aim.skip');
      end.className = aim?.good ? 'main' : '';
    };
    timer = setInterval(() => { if (!document.hidden) look(); }, EVERY_MS);
    look();
    return [word, picture, list, h('div.row.sticky', {}, end)];
  }, { onclose: () => clearInterval(timer) });
}

function draw(aim, { picture, image, word, list }) {
  if (!aim) {
    word.replaceChildren(h('p', {}, t('aim.waiting')));
    return;
  }
  word.replaceChildren(aim.good
    ? h('p.tick', {}, h('span', { 'aria-hidden': 'true' }, '✔'), t('aim.good', { count: aim.tiles }))
    : h('p.todo', {}, t(`aim.${aim.advice.code}`, aim.advice.params)));
  picture.replaceChildren(image, outlines(aim));
  list.replaceChildren(...checks(aim).map(([fine, text]) => h('li', { class: fine ? 'fine' : 'poor' },
    h('span', { role: 'img', 'aria-label': t(fine ? 'aim.ok' : 'aim.bad') }, fine ? '✔' : '✘'), h('span', {}, text))));
}

function outlines(aim) {
  const [width, height] = aim.size;
  const kind = (number) => (aim.cut.includes(number) ? 'cut' : aim.small.includes(number) ? 'small' : aim.unsure.includes(number) ? 'unsure' : 'fine');
  return h('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    aim.corners.map((corners, number) => h('polygon', { class: kind(number), points: corners.map((point) => point.join(',')).join(' ') })));
}

function checks(aim) {
  const read = aim.tiles - aim.unsure.length;
  return [
    [aim.light.ok, aim.advice?.code === 'glare' ? t('aim.glare', aim.advice.params) : t('aim.check.light', aim.light)],
    [aim.sharp, t(aim.sharp ? 'aim.check.sharp' : 'aim.check.not_sharp')],
    [aim.length !== null && aim.length >= aim.needed && !aim.small.length,
      aim.length === null ? t('aim.check.no_tiles') : t('aim.check.size', { length: aim.length, needed: aim.needed })],
    [!aim.cut.length, aim.cut.length ? t('aim.check.cut', { count: aim.cut.length }) : t('aim.check.whole')],
    ...(aim.tiles ? [[read === aim.tiles, t('aim.check.read', { count: read, of: aim.tiles })]] : []),
  ];
}
