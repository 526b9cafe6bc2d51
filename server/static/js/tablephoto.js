// A photo of a table with every train outlined in the colour of its owner, whose name stands where the train ends.

import { h, t } from './lib.js';
import { badge, colourOf, short } from './badge.js';
import { apart, around, middle, within } from './onphoto.js';
import { trainName } from './ruling.js';
import { photoImage } from './shown.js';

const NARROW = 340; // px: a photo on a small phone; what keeps clear there does so everywhere
const CHIP = [76, 40];

export const ownerName = (state, owner) => (owner ? trainName(state, owner) : t('middle.nobodys'));

/** The mark and name of a train's owner; `most` letters. */
export function ownerMark(state, owner, most) {
  const seat = state.seats.find((one) => one.id === owner);
  if (seat) return [badge(seat), h('bdi', {}, short(seat.name, most))];
  return [h('span', { 'aria-hidden': 'true' }, owner ? '★' : '?'), most < 20 && !owner ? null : h('span', {}, owner ? short(t('train.mexican_short', { number: owner.slice(1) }), most) : t('middle.nobodys'))];
}

/** `whose(line)` is asked when a name is tapped. */
export function tablePhoto(data, state, photo, whose) {
  const drawn = data.lines.map((line) => ({ line, tiles: line.tiles.filter((tile) => tile.corners) })).filter(({ line, tiles }) => tiles.length || line.at);
  const middleTile = data.hub ? [{ corners: data.hub }] : [];
  const [left, top, width, height] = around([...middleTile, ...drawn.flatMap(({ line, tiles }) => [...tiles, ...(line.at ? [line] : [])])], photo.size);
  const svg = h('svg', { viewBox: `${left} ${top} ${width} ${height}`, 'aria-hidden': 'true' }, photoImage(photo),
    h('g.hub-tile', {}, middleTile.map(outline)),
    drawn.map(({ line, tiles }) => h('g', { class: line.owner ? 'train' : 'apart', style: { '--own': ownColour(state, line.owner) } },
      h('polyline.under', { points: points(tiles) }), h('polyline', { points: points(tiles) }),
      tiles.map(outline))));
  const named = drawn.filter(({ line }) => line.owner || line.tiles.length > 1);
  const shownAt = named.map(({ line, tiles }) => line.at || beyond(tiles, data.hub)).map(([x, y]) => [((x - left) / width) * NARROW, ((y - top) / width) * NARROW]);
  const chips = apart(shownAt, CHIP).map(([x, y], place) => {
    const { line } = named[place];
    return h('button.chip', { type: 'button', 'data-key': `chip${line.id}`, 'aria-label': t('middle.whose_is', { train: ownerName(state, line.owner) }),
      style: { left: within(x / NARROW, '2.5rem'), top: within((y * width) / NARROW / height, '1rem') }, onclick: () => whose(line) }, ownerMark(state, line.owner, 5));
  });
  return h('div.photo', { style: { 'aspect-ratio': `${width} / ${height}` } }, svg, chips);
}

/** The part of the photo where one line lies. */
export function lineOnPhoto(photo, tiles) {
  const corners = tiles.flatMap((tile) => tile.corners);
  const [xs, ys] = [0, 1].map((axis) => corners.map((point) => point[axis]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const size = Math.max(Math.max(...xs) - left, Math.max(...ys) - top) * 1.4;
  const [x, y] = [(left + Math.max(...xs) - size) / 2, (top + Math.max(...ys) - size) / 2];
  return h('svg.cutout', { viewBox: `${x} ${y} ${size} ${size}`, role: 'img', 'aria-label': t('hand.on_photo') },
    photoImage(photo), tiles.map(outline));
}

/** Just beyond the end of a line, away from where it comes from. */
function beyond(tiles, from) {
  const last = tiles.at(-1).corners;
  const [x, y] = middle(last);
  const before = tiles.length > 1 ? middle(tiles.at(-2).corners) : from && middle(from);
  const length = Math.hypot(last[1][0] - last[2][0], last[1][1] - last[2][1]);
  const away = before ? Math.hypot(x - before[0], y - before[1]) : 0;
  return away > 0 ? [x + ((x - before[0]) / away) * length, y + ((y - before[1]) / away) * length] : [x, y + length];
}

const outline = (tile) => h('polygon', { class: tile.doubtful && !tile.confirmed ? 'outline doubtful' : 'outline', points: tile.corners.map((point) => point.join(',')).join(' ') });
const points = (tiles) => tiles.map((tile) => middle(tile.corners).join(',')).join(' ');

function ownColour(state, owner) {
  const seat = state.seats.find((one) => one.id === owner);
  return seat ? colourOf(seat) : owner ? '#111' : '#777';
}
