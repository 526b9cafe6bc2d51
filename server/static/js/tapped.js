// The camera's picture was tapped: which tile is meant. Tiles are small there: where a finger covers several, or
// none is known, the place is shown close up, with every tile outlined, to choose from.

import { api, button, h, say, sheet, t } from './lib.js';
import { written } from './domino.js';
import { trainName } from './ruling.js';

const FINGER_PX = 22;
const MOUSE_PX = 3;
const ROUND = 2.6; // tile lengths shown to each side

/** What was tapped is opened by `acts`: `tile(train, place, seen)`, `untold(train, seen)` or `train(train)`. */
export async function find(state, tap, acts) {
  const { seen } = await api('GET', `/games/${state.id}/camera/tiles`);
  if (!seen) { say(t('camera.tap.later')); return; }
  const photo = { url: tap.url, size: seen.size };
  const at = [tap.x * seen.size[0], tap.y * seen.size[1]];
  const reach = (tap.fine ? MOUSE_PX : FINGER_PX) * (seen.size[0] / tap.width);
  const near = seen.tiles.filter((tile) => away(tile.corners, at) <= reach);
  const marker = seen.markers.find((one) => away(one.corners, at) <= reach);
  if (marker && (tap.fine || !near.length)) acts.train(marker.train);
  else if (!marker && (near.length === 1 || (tap.fine && near.length))) open(near[0], photo, acts);
  else closeUp(state, seen, photo, at, acts);
}

function open(tile, photo, acts) {
  const where = { photo, corners: tile.corners };
  if (tile.place === null) acts.untold(tile.train, where);
  else acts.tile(tile.train, tile.place, where);
}

function closeUp(state, seen, photo, at, acts) {
  const side = 2 * ROUND * seen.length;
  const size = seen.size.map((whole) => Math.min(whole, side));
  const corner = at.map((middle, axis) => Math.min(seen.size[axis] - size[axis], Math.max(0, middle - size[axis] / 2)));
  const inside = ([x, y]) => x >= corner[0] && y >= corner[1] && x <= corner[0] + size[0] && y <= corner[1] + size[1];
  const tiles = seen.tiles.filter((tile) => tile.corners.some(inside));
  const trains = [...new Set([...tiles.map((tile) => tile.train), ...seen.ends.filter((end) => inside(end.at)).map((end) => end.train)])];
  if (!trains.length) { say(t('camera.tap.none')); return; }
  sheet(t('camera.tap.which'), (close) => {
    const press = (work) => () => { close(); work(); };
    return [
      h('svg.close-up', { viewBox: [...corner, ...size].join(' '), role: 'group', 'aria-label': t('camera.picture') },
        h('image', { href: photo.url, width: seen.size[0], height: seen.size[1] }),
        tiles.map((tile) => outline(state, tile, press(() => open(tile, photo, acts)))),
        seen.markers.filter((marker) => marker.corners.some(inside)).map((marker) => pressed(marker.corners,
          t('camera.tap.marker', { train: trainName(state, marker.train) }), press(() => acts.train(marker.train)), 'marker-seen'))),
      h('p.hint', {}, t('camera.tap.else')),
      h('div.row.small', {}, trains.map((id) => button(trainName(state, id), press(() => acts.train(id)), 'small'))),
    ];
  });
}

function outline(state, tile, press) {
  const ends = state.table.trains.find((train) => train.id === tile.train)?.tiles[tile.place ?? -1];
  const label = ends ? t('table.put_right', { tile: written(ends) }) : t('table.train_of', { train: trainName(state, tile.train) });
  return pressed(tile.corners, label, press);
}

const pressed = (corners, label, press, kind = '') => h('polygon', { points: corners.map((point) => point.join(',')).join(' '),
  class: kind, role: 'button', tabindex: 0, 'aria-label': label, onclick: press,
  onkeydown: (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); press(); } } });

/** How far a point is from a tile with these corners; 0 within it. */
function away(corners, [x, y]) {
  let within = true;
  let least = Infinity;
  for (let index = 0; index < 4; index += 1) {
    const [[ax, ay], [bx, by]] = [corners[index], corners[(index + 1) % 4]];
    const [dx, dy] = [bx - ax, by - ay];
    if (dx * (y - ay) - dy * (x - ax) < 0) within = false; // corners run clockwise as seen, y down
    const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    least = Math.min(least, Math.hypot(x - ax - along * dx, y - ay - along * dy));
  }
  return within ? 0 : least;
}
