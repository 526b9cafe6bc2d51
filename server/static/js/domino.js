// Dominoes drawn as dominoes: ivory, a bar in the middle, pips in the colours that sets commonly use.

import { h } from './lib.js';

const COLOURS = ['', '#2a86c8', '#27894a', '#cf342b', '#8a5a2b', '#2747a8', '#b8860b', '#c0308a', '#0f7d78', '#6a3bb0',
  '#d9620f', '#8c2340', '#535c69', '#2a86c8', '#27894a', '#cf342b', '#8a5a2b', '#2747a8', '#b8860b'];

// Pips in the left, middle and right column of a half.
const COLUMNS = [[0, 0, 0], [0, 1, 0], null, null, [2, 0, 2], [2, 1, 2], [3, 0, 3], [3, 1, 3], [3, 2, 3], [3, 3, 3],
  [4, 2, 4], [4, 3, 4], [4, 4, 4], [5, 3, 5], [5, 4, 5], [5, 5, 5], [6, 4, 6], [6, 5, 6], [6, 6, 6]];

function places(value) {
  if (value === 2) return [[24, 24], [76, 76]];
  if (value === 3) return [[24, 24], [50, 50], [76, 76]];
  const points = [];
  COLUMNS[value].forEach((count, column) => {
    const x = [24, 50, 76][column];
    if (count === 1) points.push([x, 50]);
    else if (column === 1 && count === 2 && value === 8) points.push([x, 24], [x, 76]);
    else {
      const spread = value < 10 ? 52 : 66;
      const height = column === 1 && count < COLUMNS[value][0] ? spread * 0.7 : spread;
      for (let row = 0; row < count; row += 1) points.push([x, 50 - height / 2 + (height * row) / (count - 1)]);
    }
  });
  return points;
}

function half(value, dy, across) {
  if (value === null || value === undefined) {
    return h('text', { x: 50, y: dy + 72, 'text-anchor': 'middle', 'font-size': 64, fill: '#a33',
      transform: across ? `rotate(90 50 ${dy + 50})` : null }, '?');
  }
  const radius = value < 7 ? 11 : value < 10 ? 9.5 : value < 13 ? 8 : 6.4;
  return h('g', { fill: COLOURS[value] }, places(value).map(([x, y]) => h('circle', { cx: x, cy: y + dy, r: radius })));
}

/** A domino. `across` lays it on its side, first end left. */
export function domino(ends, { across = false, label = null } = {}) {
  const [first, second] = ends;
  const tile = h('g', across ? { transform: 'rotate(-90) translate(-104 4)' } : { transform: 'translate(4 4)' },
    h('rect', { x: 0, y: 0, width: 100, height: 200, rx: 16, fill: '#fbf8ef', stroke: '#b9b19c', 'stroke-width': 3 }),
    h('line', { x1: 14, x2: 86, y1: 100, y2: 100, stroke: '#6d6654', 'stroke-width': 4, 'stroke-linecap': 'round' }),
    half(first, 0, across), half(second, 100, across));
  return h('svg.domino', {
    viewBox: across ? '0 0 208 108' : '0 0 108 208', role: 'img',
    'aria-label': label || `${first ?? '?'} | ${second ?? '?'}`, class: across ? 'across' : '',
  }, tile);
}

export const written = (ends) => `${ends[0] ?? '?'}-${ends[1] ?? '?'}`;
