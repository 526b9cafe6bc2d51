// A table taken up in the middle of a round: what a photo of it says, and what people say. No page, no server.
//
// It is kept as lines of tiles. A line's `owner` is a seat, a Mexican train (`M`, `M2`) or '' where it is no train;
// `told` if somebody said so. `slot` is its direction from the hub in radians clockwise from the right, null where it
// does not begin there: such a line with a train's owner goes on where that train ends.

const DOWN = Math.PI / 2;
const ROUND = 2 * Math.PI;

/** The lines of a reading, nobody's yet but the Mexican train where it is sure. */
export function linesOf({ table, slots }) {
  const tile = (id, ends) => {
    const seen = table.tiles[id];
    const turned = String(seen.ends) !== String(ends);
    return { id: `t${id}`, ends, corners: seen.corners_px, doubtful: seen.doubtful, doubts: seen.doubts, confirmed: false,
      options: turned ? seen.options.map((pair) => [...pair].reverse()) : seen.options };
  };
  const line = (id, ids, values, more = {}) => ({ id, owner: '', told: false, slot: null, marker: false, at: null,
    tiles: ids.map((one, place) => tile(one, values[place])), ...more });
  const found = [];
  for (const train of table.trains) {
    const marker = table.markers.find((one) => one.train === train.id);
    // A line apart that does not show the starting double's value at an end is rather the rest of somebody's train.
    const ends = [train.tiles[0]?.[0], train.tiles.at(-1)?.[1]];
    const unsure = table.starting_double === null || table.tiles[train.tile_ids[0]]?.doubtful;
    const mexican = train.kind === 'mexican' && (unsure || ends.includes(table.starting_double));
    found.push(line(train.id, train.tile_ids, train.tiles, { slot: slots[train.id] ?? null, marker: train.marker,
      at: marker ? marker.centre_px : null, owner: mexican ? train.id : '', told: mexican }));
    (train.limbs || []).forEach((limb, number) => found.push(line(`${train.id}.${number + 1}`, limb.tile_ids, limb.tiles)));
  }
  for (const seen of table.tiles) if (seen.role === 'loose') found.push(line(`l${seen.id}`, [seen.id], [seen.ends]));
  return found;
}

export const emptyLine = (owner) => ({ id: `n${owner}`, owner, told: true, slot: null, marker: false, at: null, tiles: [] });

/** Names of the Mexican trains that the house rules allow. */
export function mexicans({ rules, seats }) {
  if (rules.changes.mexican_present === false) return [];
  const many = rules.changes.mexican_count ?? 1;
  return Array.from({ length: many === 'slots' ? seats.length : many }, (_, place) => (place ? `M${place + 1}` : 'M'));
}

// -- whose line is whose ---------------------------------------------------------------------------------

/** Somebody says whose a line is: the other lines at the hub follow round the table. */
export function tell(data, id, owner, state) {
  const told = data.lines.find((one) => one.id === id);
  for (const other of data.lines) {
    if (other !== told && owner && other.owner === owner && other.slot !== null && told.slot !== null) other.told = false;
  }
  Object.assign(told, { owner, told: true });
  propose(data, state);
}

/** Give the lines at the hub to the seats clockwise, starting from those that are told. Nothing belongs to who left. */
export function propose(data, state) {
  const seats = state.seats.map((seat) => seat.id);
  const there = owners(state);
  for (const line of data.lines) if (line.owner && !there.includes(line.owner)) Object.assign(line, { owner: '', told: false });
  if (!seats.includes(data.turn)) data.turn = null;
  const round = data.lines.filter((line) => line.slot !== null && !(line.told && !seats.includes(line.owner)))
    .sort((a, b) => clock(a.slot) - clock(b.slot));
  if (!round.length) return;
  let known = round.filter((line) => line.told);
  if (!known.length) {
    // Whoever takes the photo sits below it, more often than not.
    const below = round.reduce((best, line) => (away(line.slot, DOWN) < away(best.slot, DOWN) ? line : best));
    below.owner = seats.includes(state.you.seat) ? state.you.seat : seats[0];
    known = [below];
  }
  const taken = new Set(known.map((line) => line.owner));
  known.forEach((line, number) => {
    const next = known[(number + 1) % known.length];
    const between = clockwise(round, line, next);
    const free = clockwise(seats, line.owner, next.owner).filter((seat) => !taken.has(seat));
    spread(between, free, line.slot, line === next ? ROUND : turn(line.slot, next.slot), spare(data, state));
    for (const one of between) taken.add(one.owner);
  });
  // Who sits out of the order that is known gets what is left.
  const idle = round.filter((line) => !seats.includes(line.owner));
  for (const seat of seats) if (idle.length && !taken.has(seat)) idle.shift().owner = seat;
}

/** What lies clockwise strictly between two of a round; all others where both are the same. */
function clockwise(round, from, to) {
  const start = round.indexOf(from) + 1;
  const found = [...round.slice(start), ...round.slice(0, start)];
  return found.slice(0, found.indexOf(to));
}

/** Lines to seats in order; where some have not started, by the direction in which they lie. */
function spread(lines, free, start, span, rest) {
  const owned = [...lines];
  while (owned.length > free.length) owned.splice(owned.indexOf(oddOne(owned, start, span)), 1);
  for (const line of lines) line.owner = rest;
  let place = -1;
  owned.forEach((line, number) => {
    const share = Math.round((turn(start, line.slot) / span) * (free.length + 1)) - 1;
    place = Math.min(free.length - (owned.length - number), Math.max(place + 1, share));
    line.owner = free[place];
  });
}

/** Of too many lines the one without which the others lie most evenly round the hub; a marked one is somebody's. */
function oddOne(lines, start, span) {
  const uneven = (gone) => [...lines.filter((line) => line !== gone).map((line) => turn(start, line.slot)), span]
    .reduce(([sum, before], angle) => [sum + (angle - before) ** 2, angle], [0, 0])[0];
  const free = lines.filter((line) => !line.marker);
  return (free.length ? free : lines).reduce((best, line) => (uneven(line) < uneven(best) ? line : best));
}

/** Whose a line at the hub is that no seat is left for. */
const spare = (data, state) => mexicans(state).find((name) => !data.lines.some((line) => line.told && line.owner === name)) || '';

const turn = (from, to) => (((to - from) % ROUND) + ROUND) % ROUND;
const clock = (slot) => turn(-DOWN, slot);
const away = (a, b) => Math.min(turn(a, b), turn(b, a));

// -- trains ----------------------------------------------------------------------------------------------

/** The tiles of one train from the hub; lines that go on where it ends are turned the way they fit. */
export function chain(data, owner) {
  const own = data.lines.filter((line) => line.owner === owner).sort((a, b) => (a.slot === null) - (b.slot === null));
  let end = data.double;
  const found = [];
  for (const line of own) {
    if (line.slot === null && line.tiles.length && line.tiles[0].ends[0] !== end && line.tiles.at(-1).ends[1] === end) {
      line.tiles = line.tiles.reverse().map((tile) => ({ ...tile, ends: [...tile.ends].reverse(), options: tile.options.map((pair) => [...pair].reverse()) }));
    }
    found.push(...line.tiles);
    end = found.at(-1)?.ends[1] ?? end;
  }
  return found;
}

/** All trains there may be: seats clockwise, then the Mexican ones. */
export const owners = (state) => [...state.seats.map((seat) => seat.id), ...mexicans(state)];

export const isMarked = (data, owner) => data.lines.some((line) => line.owner === owner && line.marker);

/** Where a tile lies: its line, its place in it, and what lies before it. */
export function find(data, id) {
  const line = data.lines.find((one) => one.tiles.some((tile) => tile.id === id));
  const place = line.tiles.findIndex((tile) => tile.id === id);
  const before = line.owner ? endBefore(data, line.owner, id) : null;
  return { line, place, tile: line.tiles[place], before };
}

function endBefore(data, owner, id) {
  const tiles = chain(data, owner);
  const place = tiles.findIndex((tile) => tile.id === id);
  return place > 0 ? tiles[place - 1].ends[1] : data.double;
}

/** A tile that a person names is turned the way it fits. */
export function put(data, id, ends) {
  const { line, place, tile, before } = find(data, id);
  const fits = before !== null && ends[0] !== before && ends[1] === before;
  line.tiles[place] = { ...tile, ends: fits ? [...ends].reverse() : ends, confirmed: true };
}

/** A further tile on a train: before another one, or at its end. */
export function add(data, owner, ends, before = null) {
  let own = data.lines.filter((line) => line.owner === owner).sort((a, b) => (a.slot === null) - (b.slot === null)).at(-1);
  if (!own) { own = emptyLine(owner); data.lines.push(own); }
  const taken = new Set(data.lines.flatMap((line) => line.tiles.map((tile) => tile.id)));
  let number = 1;
  while (taken.has(`n${number}`)) number += 1;
  const tile = { id: `n${number}`, ends, corners: null, doubtful: false, doubts: [], options: [], confirmed: true };
  if (before === null) own.tiles.push(tile);
  else {
    const { line, place } = find(data, before);
    line.tiles.splice(place, 0, tile);
  }
  put(data, tile.id, ends);
}

export function remove(data, id) {
  const { line } = find(data, id);
  line.tiles = line.tiles.filter((tile) => tile.id !== id);
}

// -- what is still to be said ----------------------------------------------------------------------------

/** Tiles on trains that are not sure and nobody has confirmed. */
export const doubts = (data, state) => owners(state).flatMap((owner) => chain(data, owner)).filter((tile) => tile.doubtful && !tile.confirmed);

const fits = (near, end, { rules }) => near === end || (rules.changes.blanks_wild && (near === 0 || end === 0));

/** Where the table can't lie so, by tile: `unread`, `join` (with what it lies against) or `twice`. */
export function faults(data, state) {
  const found = new Map();
  const seen = new Map([[`${data.double}-${data.double}`, null]]);
  for (const owner of owners(state)) {
    let end = data.double;
    for (const tile of chain(data, owner)) {
      const name = [...tile.ends].sort((a, b) => a - b).join('-');
      if (tile.ends.includes(null)) found.set(tile.id, { code: 'unread' });
      else if (end !== null && !fits(tile.ends[0], end, state)) found.set(tile.id, { code: 'join', end });
      else if (seen.has(name)) found.set(tile.id, { code: 'twice' });
      seen.set(name, tile.id);
      [, end] = tile.ends;
    }
  }
  return found;
}

/** Trains that end with a double which nothing lies against; the one that was laid first comes first. */
export function openDoubles(data, state) {
  const found = owners(state).filter((owner) => { const last = chain(data, owner).at(-1); return last && last.ends[0] !== null && last.ends[0] === last.ends[1]; });
  return found.sort((a, b) => (b === data.first) - (a === data.first));
}

/** Tiles in a hand: as they were counted, else what was dealt less what lies on the own train; null if nobody knows. */
export function held(data, seat, state) {
  if (seat in data.hands) return data.hands[seat];
  return state.round.hand === null ? null : Math.max(1, state.round.hand - chain(data, seat).length);
}

/** Tiles left in the boneyard; null while a hand is not counted. */
export function boneyard(data, state) {
  const hands = state.seats.map((seat) => held(data, seat.id, state));
  if (hands.includes(null)) return null;
  const laid = owners(state).reduce((sum, owner) => sum + chain(data, owner).length, 1);
  return Object.keys(state.rules.tile_points).length - laid - hands.reduce((sum, count) => sum + count, 0);
}

/** The table as the drawing round the hub shows it. */
export function shown(data, state) {
  const trains = owners(state).map((id) => {
    const tiles = chain(data, id);
    return { id, tiles: tiles.map((tile) => tile.ends), ends: tiles.length ? [tiles.at(-1).ends[1] ?? '?'] : [], marker: isMarked(data, id),
      open_double: openDoubles(data, state).includes(id), doubts: tiles.flatMap((tile, place) => (tile.doubtful && !tile.confirmed ? [place] : [])) };
  });
  return { double: data.double, trains, to_move: data.turn, owed: null, hands: Object.fromEntries(state.seats.map(({ id }) => [id, held(data, id, state)])) };
}

/** What the server is sent to begin. */
export function beginning(data, state) {
  const seats = state.seats.map((seat) => seat.id);
  const lies = Object.fromEntries(owners(state).map((owner) => [owner, chain(data, owner).map((tile) => tile.ends.join('-'))]).filter(([, tiles]) => tiles.length));
  const marks = seats.filter((seat) => isMarked(data, seat));
  return {
    who: data.turn, double: data.double, version: state.version,
    hands: Object.fromEntries(seats.map((seat) => [seat, held(data, seat, state)])),
    pre: { n: state.rules.set_size, engine: data.double, by: data.turn, trains: lies, marks,
      // Who has neither a tile nor a marker has not had a turn.
      firsts: seats.filter((seat) => !lies[seat] && !marks.includes(seat)),
      open: openDoubles(data, state).map((owner) => [owner, chain(data, owner).at(-1).ends[1]]) },
  };
}
