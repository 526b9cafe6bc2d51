// The camera beside the table's drawing: its newest picture, how it is doing, one piece of advice; and choosing it.

import { api, attempt, button, h, link, say, sheet, t } from './lib.js';
import { allowed, lend, lentTo, takeBack } from './owncam.js';
import { nameOf } from './ruling.js';

const EVERY_MS = 1000;
const LIVE = ['looking', 'following', 'covered'];

/** `pick({ x, y, width, fine, url })` is told where the picture was tapped (shares of it; its width, px), by what. */
export class CameraView {
  constructor(pick = null) {
    this.place = h('section.camera', {});
    this.pick = pick;
    this.image = h('img', { alt: t('camera.picture') });
    this.live = h('div.live', { onclick: (event) => this.tap(event, this.image) }, this.image);
    this.how = h('p.hint', {}, t('camera.tap'));
    this.word = h('p.word', { role: 'status' });
    this.advice = h('p.advice', {});
    this.stop = button(t('camera.stop'), () => attempt(() => this.off()), 'small');
    this.aim = button(t('aim.open'), () => import('./aim.js').then(({ openAim }) => openAim(this.state.id)), 'small');
    this.timer = setInterval(() => this.look(), EVERY_MS);
  }

  close() {
    clearInterval(this.timer);
    const own = lentTo(this.state.id);
    if (own) own.onchange = null;
  }

  update(state) {
    this.state = state;
    this.draw();
  }

  /** Off; where it is this device's own, it is not offered any longer either. */
  async off() {
    const { id, camera, you } = this.state;
    if (camera?.by === you.member) takeBack(id);
    await api('DELETE', `/games/${id}/camera`);
  }

  lens(own) {
    return button(t('camera.lend.other'), () => attempt(() => own.turn()), 'small');
  }

  draw() {
    const { state } = this;
    const { camera, you } = state;
    const own = lentTo(state.id);
    const parts = own ? [this.lending(own)] : [];
    if (camera) parts.push(...this.following(camera, own));
    else if (!own) parts.push(...this.offer());
    if (you.host && state.lent.some((member) => member !== you.member)) parts.push(this.offered());
    this.place.hidden = !parts.length;
    if (parts.length !== this.place.childNodes.length || parts.some((part, index) => this.place.childNodes[index] !== part)) this.place.replaceChildren(...parts);
    if (camera?.picture && !this.asked) this.look(true);
    if (!camera) this.asked = null;
  }

  /** What everybody sees while a camera is in use. */
  following(camera, own) {
    const { you } = this.state;
    this.word.textContent = words(this.state);
    this.word.className = `word ${camera.state}`;
    const { advice } = camera;
    this.advice.textContent = advice && LIVE.includes(camera.state) ? t(`aim.${advice.code}`, advice.params) : '';
    const shows = !own && (you.host || you.seat) && camera.picture;
    const tappable = this.pick && (shows || (own && camera.by === you.member));
    return [shows ? this.live : null, tappable ? this.how : null, this.word, this.advice.textContent ? this.advice : null,
      you.host ? h('div.row.small', {}, own?.lenses > 1 ? this.lens(own) : null, this.aim, this.stop) : null].filter(Boolean);
  }

  offer() {
    const { you, rules } = this.state;
    if (rules.side_lines) return you.host ? [h('p.hint', {}, t('problem.side_lines'))] : [];
    if (you.host) return [button(t('camera.use'), () => choose(this.state, () => this.draw()), 'small')];
    return this.state.one_phone ? [] : [button(t('camera.lend'), () => lendHere(this.state, () => this.draw()), 'small')];
  }

  /** This device lends its camera: what it sees, whether it is in use, and how to stop. */
  lending(own) {
    own.onchange ??= () => this.draw();
    if (this.shown?.own !== own) {
      const video = h('video', { playsinline: true, autoplay: true, 'aria-label': t('camera.lend.preview'), onclick: (event) => this.tap(event, video) });
      video.muted = true;
      this.shown = { own, video, box: h('div.lending', {}) };
    }
    if (this.shown.video.srcObject !== own.stream) this.shown.video.srcObject = own.stream;
    const mine = this.state.camera?.by === this.state.you.member;
    const here = mine && this.state.you.host; // the buttons stand below, with the others of the camera
    this.shown.box.replaceChildren(this.shown.video,
      h('p.word', { role: 'status' }, t(`camera.lend.${own.state === 'sending' && !mine ? 'waiting' : own.state}`)),
      here ? '' : h('div.row.small', {}, own.lenses > 1 ? this.lens(own) : null,
        button(t('camera.lend.stop'), () => { takeBack(this.state.id); this.draw(); }, 'small')));
    this.shown.video.play().catch(() => {});
    return this.shown.box;
  }

  /** For the host: somebody's device offers its camera. */
  offered() {
    const member = this.state.lent.find((one) => one !== this.state.you.member);
    return h('div.notice', {}, h('p', {}, t('camera.offer_waits')), h('div.row', {},
      button(t('camera.take_offer'), () => attempt(() => api('POST', `/games/${this.state.id}/camera`, { kind: 'page', member })), 'main'),
      button(t('camera.others'), () => choose(this.state, () => this.draw()))));
  }

  /** What is `shown` was tapped: the newest picture, or what this device's own camera sees. */
  tap(event, shown) {
    const { camera, id, you } = this.state;
    if (!this.pick || !camera?.picture || (shown !== this.image && camera.by !== you.member)) return;
    const box = shown.getBoundingClientRect();
    this.pick({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height, width: box.width,
      fine: event.pointerType === 'mouse', url: shown === this.image ? this.image.src : `/api/games/${id}/camera/picture?${Date.now()}` });
  }

  look(now = false) {
    const { camera } = this.state || {};
    if (!camera?.picture || !(this.state.you.host || this.state.you.seat)) return;
    if (!now && (document.hidden || !this.image.isConnected || !LIVE.includes(camera.state) || (this.asked && !this.image.complete))) return;
    this.asked = Date.now();
    this.image.src = `/api/games/${this.state.id}/camera/picture?${this.asked}`;
  }
}

function words(state) {
  const { camera } = state;
  if (camera.behind) return t('camera.behind');
  if (camera.state === 'looking' && !state.table) return t('camera.ready');
  if (camera.state === 'failed') return t('camera.failed', { reason: camera.trouble });
  return t(`camera.${camera.state}`, { source: camera.source || t(camera.by === state.you.member ? 'camera.here' : 'camera.lent_by_watcher') });
}

async function choose(state, redraw) {
  const found = await attempt(() => api('GET', `/games/${state.id}/camera/choices`));
  if (!found) return;
  sheet(t('camera.which'), (close) => {
    const take = (wish) => attempt(async () => {
      await api('POST', `/games/${state.id}/camera`, wish);
      close();
    });
    const here = async () => { close(); await lendHere(state, redraw, () => api('POST', `/games/${state.id}/camera`, { kind: 'page' })); };
    const address = h('input', { type: 'url', placeholder: 'rtsp://192.168.1.40/live' });
    const label = ({ kind, number, label: name, seat }) => {
      if (kind === 'page') return seat ? t('camera.lent', { name: nameOf(state, seat) }) : t('camera.lent_by_watcher');
      return kind === 'camera' ? t('camera.number', { number: number + 1 }) : name;
    };
    return [
      h('p.hint', {}, t('privacy.camera')),
      h('div.stack', {}, button(t('camera.here'), here, 'main'),
        found.choices.map((choice) => button(label(choice), () => take({ kind: choice.kind, number: choice.number, member: choice.member })))),
      h('details', {}, h('summary', {}, t('camera.network')), h('label.field', {}, t('camera.address'), address),
        h('div.row', {}, button(t('camera.use_address'), () => take({ kind: 'address', address: address.value.trim() })))),
    ];
  });
}

/** Lend this device's camera, or say plainly why it can't be and what can be done. `then` once it is offered. */
async function lendHere(state, redraw, then) {
  if (!allowed()) { insecure(); return; }
  let done = false;
  const changed = () => {
    redraw();
    if (then && !done && lentTo(state.id)?.state === 'waiting') { done = true; attempt(then); }
  };
  try {
    await lend(state.id, changed);
  } catch {
    const why = lentTo(state.id)?.state || 'busy';
    takeBack(state.id);
    say(t(`camera.lend.${why}`), 'bad');
  }
}

function insecure() {
  const port = location.port ? `:${location.port}` : '';
  sheet(t('camera.insecure'), () => [
    h('p', {}, t('camera.insecure.why')),
    h('ul', {}, h('li', {}, t('camera.insecure.https'), ' ', link('/certificate', t('camera.insecure.how'))),
      h('li', {}, t('camera.insecure.here', { address: `http://localhost${port}` })),
      h('li', {}, t('camera.insecure.server'))),
  ]);
}
