// The table as it lies: the starting double in the middle, every train a spoke in the order of the seats.
//
// Close to the hub a spoke says how many tiles are not drawn; its last tiles follow, then the open end, large. The
// person who looks sits at the bottom.

import { h, looks, t } from './lib.js';
import { colourOf, shapePath, short } from './badge.js';
import { domino } from './domino.js';
import { nameOf, trainName } from './ruling.js';

await looks('table');

const [WIDTH, HEIGHT] = [400, 480];
const MIDDLE = [WIDTH / 2, HEIGHT / 2 - 4];
const REACH = [144, 164];
const HUB = 34;
const LONG = 42;
const DISC = 23;

/** `pick(train)` makes spokes buttons. */
export function hub(state, shown, { pick = null } = {}) {
  const trains = inOrder(state, shown);
  const double = `${shown.double}-${shown.double}`;
  const [top, bottom] = extent(trains.length, shown.owed ? 46 : 32); // who covers stands beyond the names
  return h('svg.hub', { viewBox: `0 ${top} ${WIDTH} ${bottom - top}`, role: 'group', 'aria-label': t('table.hub', { double }) },
    h('defs', {}, h('pattern', { id: 'doubt-hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      h('rect.hatch', { width: 2.4, height: 6 }))),
    trains.map((train, place) => spoke(state, shown, train, angleOf(place, trains.length), pick)),
    h('circle.hub-ring', { cx: MIDDLE[0], cy: MIDDLE[1], r: HUB - 3 }),
    tile([shown.double, shown.double], MIDDLE, 0));
}

/** Seats clockwise from the one who looks, who sits at the bottom; Mexican trains between the last seat and the first. */
function inOrder(state, shown) {
  const own = shown.trains.findIndex((train) => train.id === state.you.seat);
  return own > 0 ? [...shown.trains.slice(own), ...shown.trains.slice(0, own)] : shown.trains;
}

/** Upper and lower edge of the drawing: no empty space above or below it. */
function extent(count, names) {
  const sines = Array.from({ length: count }, (_, place) => Math.sin(angleOf(place, count)));
  return [MIDDLE[1] + Math.min(-0.5, ...sines) * REACH[1] - DISC - names, MIDDLE[1] + Math.max(0.5, ...sines) * REACH[1] + DISC + names];
}

const angleOf = (place, count) => Math.PI / 2 + (2 * Math.PI * place) / count;

function spoke(state, shown, train, angle, pick) {
  const seat = state.seats.find((one) => one.id === train.id);
  const owed = shown.owed?.train === train.id;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const reach = (REACH[0] * REACH[1]) / Math.hypot(REACH[1] * cos, REACH[0] * sin);
  const at = (radius) => [MIDDLE[0] + radius * cos, MIDDLE[1] + radius * sin];
  const drawn = lastTiles(train, reach - HUB - DISC - 4);
  const hidden = train.tiles.length - drawn.length;
  const kind = ['spoke', shown.to_move === train.id && 'to-move', train.open_double && 'open-double', owed && 'owed',
    train.marker && 'marked', !train.tiles.length && 'unstarted'].filter(Boolean).join(' ');
  const press = pick && (() => pick(train));
  return h('g', { class: kind, 'data-train': train.id, 'aria-label': told(state, shown, train), ...(pick
    ? { role: 'button', tabindex: 0, onclick: press, onkeydown: (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); press(); } } }
    : { role: 'img' }) },
  pick ? h('line.touch', { x1: at(HUB)[0], y1: at(HUB)[1], x2: at(reach)[0], y2: at(reach)[1] }) : null, // a finger is wider than a tile here
  h('line.way', { x1: at(HUB)[0], y1: at(HUB)[1], x2: at(reach)[0], y2: at(reach)[1] }),
  hidden ? h('text.more', { x: at(HUB + 11)[0], y: at(HUB + 11)[1] + 4 }, `+${hidden}`) : null,
  drawn.map(({ ends, place, radius }) => tile(ends, at(radius), angle, { across: ends[0] === ends[1],
    doubtful: (train.doubts || []).includes(place), open: train.open_double && place === train.tiles.length - 1 })),
  end(shown, train, at(reach)),
  owner(state, shown, train, seat, at(reach), sin),
  train.marker ? marker(at(reach)) : null);
}

/** The tiles that there is room for, the last one outermost. */
function lastTiles(train, room) {
  const drawn = [];
  let left = room - (train.tiles.length > 1 ? 16 : 0); // for the number of those that are not drawn
  for (let place = train.tiles.length - 1; place >= 0; place -= 1) {
    const ends = train.tiles[place];
    const length = ends[0] === ends[1] ? LONG / 2 : LONG;
    if (length > left && drawn.length) break;
    drawn.push({ ends, place, length });
    left -= length + 2;
  }
  let radius = HUB + room + 2;
  for (const one of drawn) {
    one.radius = radius - one.length / 2;
    radius -= one.length + 2;
  }
  return drawn;
}

/** A domino of the spoke, its near half towards the hub; turned so that nothing stands on its head. */
function tile(ends, [x, y], angle, { across = false, doubtful = false, open = false } = {}) {
  const degrees = (angle * 180) / Math.PI + (across ? 90 : 0);
  const scale = LONG / 208;
  return h('g', { class: `on-spoke${open ? ' open' : ''}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${degrees.toFixed(1)}) scale(${scale.toFixed(4)}) translate(-104 -54)` },
    ...domino(ends, { across: true, label: null }).childNodes,
    numerals(ends, degrees),
    doubtful ? h('rect.doubt', { fill: 'url(#doubt-hatch)', x: 4, y: 4, width: 200, height: 100, rx: 16 }) : null);
}

/** Values in figures, for drawings too small for pips. */
function numerals(ends, degrees) {
  return h('g.numerals', {}, h('rect', { x: 6, y: 6, width: 196, height: 96, rx: 14 }), h('line', { x1: 104, x2: 104, y1: 16, y2: 92 }),
    ends.map((value, half) => h('text', { class: value > 9 ? 'two' : '', transform: `translate(${54 + 100 * half} 54) rotate(${(-degrees).toFixed(1)})`, dy: 27 }, value ?? '?')));
}

function end(shown, train, [x, y]) {
  const ends = train.ends.length ? train.ends : [shown.double];
  const text = ends.join(' ');
  const shape = train.open_double
    ? h('rect.disc', { x: x - DISC * 0.92, y: y - DISC * 0.92, width: DISC * 1.84, height: DISC * 1.84, rx: 6, transform: `rotate(45 ${x} ${y})` })
    : h('circle.disc', { cx: x, cy: y, r: DISC });
  return [shape, h('text.value', { x, y: y + 9, style: { 'font-size': `${text.length > 2 ? 17 : 26}px` } }, text)];
}

/** A flag planted on the open end: this train is open to all. */
function marker([x, y]) {
  return h('g.flag', { transform: `translate(${x + 19} ${y - 25})` }, h('path.cloth', { d: 'M0 0h21l-6 7.5 6 7.5h-21z' }), h('path.pole', { d: 'M0 0v36' }));
}

function owner(state, shown, train, seat, [x, y], sin) {
  const above = sin < -0.35;
  const name = seat ? seat.name : `★ ${t('train.mexican_short', { number: train.id.slice(1) })}`;
  const held = seat ? shown.hands[seat.id] : null;
  const line = y + (above ? -(DISC + 11) : DISC + 20);
  const label = short(name, 11);
  const counted = held !== null && held !== undefined;
  // The width of letters is not known here: about so much.
  const width = label.length * 9.4 + (seat ? 17 : 0) + (counted ? 28 : 0);
  const left = Math.min(WIDTH - width - 6, Math.max(6, x - width / 2));
  const owes = shown.owed?.train === train.id ? t('table.covers_short', { name: nameOf(state, shown.to_move) }) : '';
  return h('g.owner', {},
    h('rect.plate', { x: left - 6, y: line - 15, width: width + 12, height: 20, rx: 10 }),
    seat ? h('path.shape', { d: shapePath(seat.shape), fill: colourOf(seat), transform: `translate(${left} ${line - 11.5}) scale(.13)` }) : null,
    h('text.name', { x: left + (seat ? 17 : 0), y: line }, label, counted ? h('tspan.held', { dx: 7 }, held) : null),
    owes ? h('text.owes', { x: Math.min(WIDTH - 4, Math.max(4, x)), y: line + (above ? -18 : 18), 'text-anchor': x > WIDTH - 60 ? 'end' : x < 60 ? 'start' : 'middle' }, owes) : null);
}

/** The spoke in words. */
function told(state, shown, train) {
  const ends = train.ends.length ? train.ends : [shown.double];
  const last = train.tiles.at(-1);
  const double = last ? `${last[1]}-${last[1]}` : '';
  const seat = state.seats.find((one) => one.id === train.id);
  const held = seat ? shown.hands[seat.id] : null;
  const parts = [t('table.spoke', { train: trainName(state, train.id), end: ends.join(', '), count: train.tiles.length })];
  if (shown.to_move === train.id) parts.push(t('table.spoke.to_move'));
  if (train.marker) parts.push(t('table.spoke.marked'));
  if (shown.owed?.train === train.id) parts.push(t('table.spoke.owed', { double: `${shown.owed.value}-${shown.owed.value}`, name: nameOf(state, shown.to_move) }));
  else if (train.open_double) parts.push(t('table.spoke.open_double', { double }));
  if (train.doubts?.length) parts.push(t('table.spoke.doubts', { count: train.doubts.length }));
  if (held !== null && held !== undefined) parts.push(t('table.spoke.in_hand', { count: held }));
  return parts.join('; ');
}
