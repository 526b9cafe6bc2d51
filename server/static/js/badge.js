// A player's mark: a colour and a shape, so that nobody has to tell colours apart.

import { h } from './lib.js';

export const COLOURS = {
  blue: '#2b6cb8', orange: '#c8590a', green: '#2c7a3f', purple: '#7443ad', red: '#b92d2d', teal: '#0f7672',
  gold: '#8f6a00', pink: '#b3317a', brown: '#7a4b22', grey: '#5a626b',
};

const SHAPES = {
  circle: 'M50 8a42 42 0 1 0 .1 0z',
  square: 'M12 12h76v76H12z',
  triangle: 'M50 8 94 88H6z',
  diamond: 'M50 4 92 50 50 96 8 50z',
  star: 'M50 4 62 37 97 38 69 59 79 93 50 73 21 93 31 59 3 38 38 37z',
  hexagon: 'M27 8h46l23 42-23 42H27L4 50z',
  heart: 'M50 92C10 62 4 44 8 28 14 8 40 6 50 28 60 6 86 8 92 28c4 16-2 34-42 64z',
  cross: 'M34 6h32v28h28v32H66v28H34V66H6V34h28z',
  drop: 'M50 4c20 30 32 42 32 60a32 32 0 0 1-64 0c0-18 12-30 32-60z',
  moon: 'M62 6a46 46 0 1 0 30 66A38 38 0 0 1 62 6z',
};

export const colourOf = (seat) => COLOURS[seat.colour] || COLOURS.grey;
export const shapeNames = Object.keys(SHAPES);
export const shapePath = (shape) => SHAPES[shape] || SHAPES.circle;

export const badge = (seat, size = '') => h('svg.badge', { viewBox: '0 0 100 100', 'aria-hidden': 'true', class: size },
  h('path', { d: shapePath(seat.shape), fill: colourOf(seat) }));

export const named = (seat) => h('span.named', {}, badge(seat), h('span', {}, seat.name));

/** The beginning of a name, whole letters only: some are made of several characters. */
export function short(name, most) {
  const letters = [...new Intl.Segmenter().segment(name)].map((one) => one.segment);
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : name;
}
