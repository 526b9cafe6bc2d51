// This device's own camera: its pictures go to the server one at a time, each when the server asks for it.

import { recall, remember } from './lib.js';

const LONGEST_PX = 1920;
const QUALITY = 0.88;
const LOOK_MS = 100;

/** Browsers give the camera to secure pages only: https, or this computer itself. */
export const allowed = () => window.isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);

let lent = null;

/** The camera that this device lends to a game, if it does. */
export const lentTo = (gameId) => (lent?.gameId === gameId ? lent : null);

/** Lend it; whatever was lent before is taken back. */
export async function lend(gameId, onchange, deviceId = null) {
  lent?.close();
  lent = new OwnCamera(gameId, onchange);
  await lent.open(deviceId);
  return lent;
}

/** After a reload: lend again what was lent, until it was taken back. The browser may still hold the lens for a moment. */
export async function again(gameId, tries = 3) {
  const kept = recall(`lend:${gameId}`);
  if (!kept || lentTo(gameId) || !allowed()) return;
  try {
    await lend(gameId, null, kept.deviceId);
  } catch {
    const refused = lentTo(gameId)?.state === 'denied' || tries <= 1;
    lentTo(gameId)?.close();
    if (refused) takeBack(gameId);
    else setTimeout(() => again(gameId, tries - 1), 2000);
  }
}

/** The game is left; it is lent again when the device comes back to it. */
export function pause(gameId) {
  lentTo(gameId)?.close();
}

export function takeBack(gameId) {
  remember(`lend:${gameId}`, null);
  lentTo(gameId)?.close();
}

/** State: opening, waiting (offered), sending, away (no line), or why there is none: denied, none, busy. */
class OwnCamera {
  constructor(gameId, onchange) {
    Object.assign(this, { gameId, onchange, state: 'opening', tries: 0, lenses: 1, closed: false });
    this.video = document.createElement('video');
    Object.assign(this.video, { muted: true, playsInline: true, autoplay: true, className: 'unseen', ariaHidden: 'true' });
    document.body.append(this.video); // a video outside the document stands still
    this.canvas = document.createElement('canvas');
    this.wake = () => { if (document.visibilityState === 'visible' && this.track?.readyState === 'ended') this.open(this.deviceId).catch(() => {}); };
    document.addEventListener('visibilitychange', this.wake);
  }

  tell(state) {
    this.state = state;
    this.onchange?.();
  }

  async open(deviceId) {
    const which = deviceId ? { deviceId: { exact: deviceId } } : { facingMode: 'environment' };
    try {
      this.stream?.getTracks().forEach((track) => track.stop());
      this.stream = await navigator.mediaDevices.getUserMedia({ audio: false,
        video: { ...which, width: { ideal: LONGEST_PX }, height: { ideal: 1080 } } });
    } catch (error) {
      if (deviceId && error.name === 'OverconstrainedError') { await this.open(null); return; } // that lens is gone
      this.tell({ NotAllowedError: 'denied', SecurityError: 'denied', NotFoundError: 'none' }[error.name] || 'busy');
      throw error;
    }
    if (this.closed) { this.stop(); return; }
    [this.track] = this.stream.getVideoTracks();
    this.deviceId = this.track.getSettings().deviceId || null;
    this.video.srcObject = this.stream;
    await this.video.play().catch(() => {});
    remember(`lend:${this.gameId}`, { deviceId: this.deviceId });
    this.lenses = (await navigator.mediaDevices.enumerateDevices()).filter((one) => one.kind === 'videoinput').length;
    if (!this.socket) this.connect();
    else this.tell(this.state);
  }

  /** The next lens of the device. */
  async turn() {
    const lenses = (await navigator.mediaDevices.enumerateDevices()).filter((one) => one.kind === 'videoinput');
    const at = lenses.findIndex((one) => one.deviceId === this.deviceId);
    await this.open(lenses[(at + 1) % lenses.length].deviceId);
  }

  connect() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.socket = new WebSocket(`${scheme}://${location.host}/api/games/${this.gameId}/camera/feed`);
    this.socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    this.socket.onclose = () => {
      if (this.closed) return;
      this.tell('away');
      this.tries += 1;
      this.later = setTimeout(() => this.connect(), Math.min(500 * this.tries, 4000));
    };
  }

  hear({ type }) {
    this.tries = 0;
    if (type === 'gone') { this.close(); return; }
    if (type === 'offered') this.tell('waiting');
    if (type === 'next' && !this.owes) this.send();
  }

  /** One picture, as soon as the camera has a new one. */
  async send() {
    this.owes = true;
    const { socket } = this;
    while (!this.closed && socket === this.socket && (this.video.readyState < 2 || this.video.currentTime === this.sent)) {
      await new Promise((go) => setTimeout(go, LOOK_MS));
    }
    if (!this.closed && socket.readyState === WebSocket.OPEN) {
      this.sent = this.video.currentTime;
      const blob = await this.picture();
      if (blob && socket.readyState === WebSocket.OPEN) socket.send(blob);
      if (this.state !== 'sending') this.tell('sending');
    }
    this.owes = false;
  }

  picture() {
    const { videoWidth, videoHeight } = this.video;
    const shrink = Math.min(1, LONGEST_PX / Math.max(videoWidth, videoHeight));
    this.canvas.width = Math.round(videoWidth * shrink);
    this.canvas.height = Math.round(videoHeight * shrink);
    this.canvas.getContext('2d').drawImage(this.video, 0, 0, this.canvas.width, this.canvas.height);
    return new Promise((done) => this.canvas.toBlob(done, 'image/jpeg', QUALITY));
  }

  stop() {
    this.stream?.getTracks().forEach((track) => track.stop());
  }

  close() {
    this.closed = true;
    clearTimeout(this.later);
    document.removeEventListener('visibilitychange', this.wake);
    if (this.socket) { this.socket.onclose = null; this.socket.close(); }
    this.stop();
    this.video.remove();
    if (lent === this) lent = null;
    this.onchange?.();
  }
}
