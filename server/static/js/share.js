// A picture of the result to send to the family: drawn here, so that nothing leaves the house by itself.

import { h, language, say, sheet, t } from './lib.js';
import { colourOf, shapePath } from './badge.js';

export function share(state) {
  const canvas = draw(state);
  canvas.toBlob(async (blob) => {
    const file = new File([blob], 'mexican-train.png', { type: 'image/png' });
    const url = URL.createObjectURL(blob);
    sheet(t('sheet.picture'), () => [
      h('img.shared', { src: url, alt: t('sheet.picture') }),
      h('div.row', {}, h('a.button.main', { href: url, download: file.name }, t('save')),
        navigator.canShare?.({ files: [file] })
          ? h('button', { type: 'button', onclick: () => navigator.share({ files: [file] }).catch(() => say(t('cancelled'))) }, t('share')) : null),
    ], { onclose: () => URL.revokeObjectURL(url) });
  });
}

function draw(state) {
  const { places, over, rounds } = state.sheet;
  const canvas = document.createElement('canvas');
  const line = 104;
  canvas.width = 1080;
  canvas.height = 330 + places.length * line;
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#f6f4ee';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = '#1f6f5c';
  pen.fillRect(0, 0, canvas.width, 16);
  const text = (words, x, y, font, colour = '#1c2321', align = 'left') => {
    pen.font = font;
    pen.fillStyle = colour;
    pen.textAlign = align;
    pen.fillText(words, x, y, 760);
  };
  const face = 'system-ui, sans-serif';
  text(state.title || 'Mexican Train', 64, 120, `700 60px ${face}`);
  const when = new Date().toLocaleDateString(language, { dateStyle: 'long' });
  text(`${over ? t('share.final') : t('sheet.after', { round: rounds.length, of: state.sheet.planned })} · ${when}`, 64, 182, `400 38px ${face}`, '#5b6461');
  places.forEach((place, index) => {
    const seat = state.sheet.players.find((one) => one.id === place.seat);
    const y = 290 + index * line;
    if (place.rank === 1) { pen.fillStyle = '#e2efe9'; pen.fillRect(40, y - 66, 1000, 92); }
    text(String(place.rank), 84, y, `700 48px ${face}`, '#5b6461', 'center');
    pen.save();
    pen.translate(130, y - 48);
    pen.scale(0.6, 0.6);
    pen.fillStyle = colourOf(seat);
    pen.fill(new Path2D(shapePath(seat.shape)));
    pen.restore();
    text(seat.name, 216, y, `600 48px ${face}`);
    text(String(place.total), 1000, y, `700 56px ${face}`, '#1c2321', 'right');
  });
  text('Stationmaster', 1016, canvas.height - 30, `400 28px ${face}`, '#5b6461', 'right');
  return canvas;
}
