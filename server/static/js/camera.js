// The server's camera beside the table's drawing: its newest picture, how it is doing, one piece of advice.

import { api, attempt, button, h, sheet, t } from './lib.js';

const EVERY_MS = 1000;
const LIVE = ['looking', 'following', 'covered'];

export class CameraView {
  constructor() {
    this.place = h('section.camera', {});
    this.image = h('img', { alt: t('camera.picture') });
    this.word = h('p.word', { role: 'status' });
    this.advice = h('p.advice', {});
    this.stop = button(t('camera.stop'), () => attempt(() => api('DELETE', `/games/${this.state.id}/camera`)), 'small');
    setInterval(() => this.look(), EVERY_MS);
  }

  update(state) {
    this.state = state;
    const { camera } = state;
    this.place.hidden = !camera && !state.you.host;
    if (!camera) {
      this.place.replaceChildren(...(state.you.host ? [button(t('camera.use'), () => choose(state), 'small')] : []));
      this.asked = null;
      return;
    }
    this.word.textContent = words(camera);
    this.word.className = `word ${camera.state}`;
    const { advice } = camera;
    this.advice.textContent = advice && LIVE.includes(camera.state) ? t(`aim.${advice.code}`, advice.params) : '';
    const may = state.you.host || state.you.seat;
    const parts = [may && camera.picture ? this.image : null, this.word, this.advice.textContent ? this.advice : null, state.you.host ? this.stop : null].filter(Boolean);
    if (parts.length !== this.place.childNodes.length || parts.some((part, index) => this.place.childNodes[index] !== part)) this.place.replaceChildren(...parts);
    if (camera.picture && !this.asked) this.look(true);
  }

  look(now = false) {
    const { camera } = this.state || {};
    if (!camera?.picture || !(this.state.you.host || this.state.you.seat)) return;
    if (!now && (document.hidden || !this.place.isConnected || !LIVE.includes(camera.state) || (this.asked && !this.image.complete))) return;
    this.asked = Date.now();
    this.image.src = `/api/games/${this.state.id}/camera/picture?${this.asked}`;
  }
}

function words(camera) {
  if (camera.behind) return t('camera.behind');
  if (camera.state === 'failed') return t('camera.failed', { reason: camera.trouble });
  return t(`camera.${camera.state}`, { source: camera.source });
}

async function choose(state) {
  const found = await attempt(() => api('GET', `/games/${state.id}/camera/choices`));
  if (!found) return;
  sheet(t('camera.which'), (close) => {
    const take = (wish) => attempt(async () => {
      await api('POST', `/games/${state.id}/camera`, wish);
      close();
    });
    const address = h('input', { type: 'url', id: 'camera-address', placeholder: 'rtsp://192.168.1.40/live' });
    return [
      h('p.hint', {}, t('privacy.camera')),
      h('div.stack', {}, found.choices.map(({ kind, number, label }) => button(
        kind === 'camera' ? t('camera.number', { number: label }) : label, () => take({ kind, number })))),
      h('label', { for: 'camera-address' }, t('camera.address')), address,
      h('div.row', {}, button(t('camera.use_address'), () => take({ kind: 'address', address: address.value.trim() }))),
    ];
  });
}
