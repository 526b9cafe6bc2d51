// Who sits where: a drawing of the table to drag people round, and a list for thumbs and for the keyboard.

import { button, h, t } from './lib.js';
import { badge, short } from './badge.js';

const [RADIUS, EDGE] = [78, 122];

/**
 * `seats` is changed in place; `onorder` is told after each move. `row(seat, index)` gives what stands before
 * a seat's handle.
 */
export class Seating {
  constructor(seats, { row, onorder = () => {} }) {
    Object.assign(this, { seats, row, onorder });
    this.list = h('ol.seat-list', {});
    this.table = h('svg.round-table', { viewBox: `${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}`, 'aria-hidden': 'true' });
    this.spoken = h('p.unseen', { 'aria-live': 'polite' });
    this.place = h('div.seating', {}, this.table, h('div', {}, this.list, this.spoken));
    this.draw();
  }

  draw() {
    this.items = new Map(this.seats.map((seat, index) => [seat, this.item(seat, index)]));
    this.list.replaceChildren(...this.items.values());
    this.drawTable();
  }

  item(seat, index) {
    const handle = h('button.handle', { type: 'button', onkeydown: (event) => this.key(event, seat) }, '⠿');
    const item = h('li', {}, this.row(seat, index), handle,
      button('↑', () => { this.move(seat, -1); item.querySelector('.up').focus(); }, 'small up', { 'aria-label': t('new.up') }));
    handle.addEventListener('pointerdown', (event) => this.drag(event, handle, (at) => this.dragInList(seat, item, at)));
    this.label(item, seat, index);
    return item;
  }

  label(item, seat, index) {
    item.querySelector('.handle').setAttribute('aria-label', t('seat.handle', { name: this.name(seat, index), place: index + 1, count: this.seats.length }));
  }

  name(seat, index) {
    return seat.name || t('new.player', { number: index + 1 });
  }

  /** Follow a finger or the mouse until it lets go. The element stays in the page, so it keeps the pointer. */
  drag(event, element, follow) {
    if (event.button) return;
    event.preventDefault();
    element.focus?.({ preventScroll: true });
    element.setPointerCapture(event.pointerId);
    const moved = (at) => follow(at);
    const done = () => {
      element.removeEventListener('pointermove', moved);
      this.place.classList.remove('dragging');
      this.drawTable();
    };
    this.place.classList.add('dragging');
    element.addEventListener('pointermove', moved);
    for (const end of ['pointerup', 'pointercancel']) element.addEventListener(end, done, { once: true });
  }

  dragInList(seat, item, at) {
    const rows = [...this.list.children];
    const to = rows.filter((row) => row !== item && middle(row) < at.clientY).length;
    if (to !== this.seats.indexOf(seat)) this.put(seat, to);
  }

  dragOnTable(seat, mark, at) {
    const box = this.table.getBoundingClientRect();
    const angle = Math.atan2(at.clientY - box.top - box.height / 2, at.clientX - box.left - box.width / 2);
    const count = this.seats.length;
    const to = ((Math.round(((angle + Math.PI / 2) * count) / (2 * Math.PI)) % count) + count) % count;
    if (to !== this.seats.indexOf(seat)) this.put(seat, to, seat);
    set(mark, angle);
  }

  key(event, seat) {
    const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.move(seat, by);
  }

  /** One place on, past the end to the beginning: the table is round. */
  move(seat, by) {
    const count = this.seats.length;
    this.put(seat, (this.seats.indexOf(seat) + by + count) % count);
  }

  put(seat, to, held = null) {
    const from = this.seats.indexOf(seat);
    this.seats.splice(from, 1);
    this.seats.splice(to, 0, seat);
    const mine = this.items.get(seat);
    // The others move round the one that is held: an element taken out of the page would lose the pointer.
    this.seats.forEach((other, index) => {
      const item = this.items.get(other);
      if (other !== seat && index < to) this.list.insertBefore(item, mine);
      if (other !== seat && index > to) this.list.append(item);
      this.label(item, other, index);
    });
    this.drawTable(held);
    this.spoken.textContent = t('seat.moved', { name: this.name(seat, to), place: to + 1, count: this.seats.length });
    this.onorder();
  }

  /** Marks are moved, not made again, while one of them is held. */
  drawTable(held = null) {
    if (!held) {
      this.marks = new Map(this.seats.map((seat) => [seat, this.mark(seat)]));
      this.table.replaceChildren(h('circle', { r: 48, class: 'wood' }), ...this.marks.values());
    }
    this.seats.forEach((seat, index) => {
      if (seat !== held) set(this.marks.get(seat), (2 * Math.PI * index) / this.seats.length - Math.PI / 2);
    });
  }

  mark(seat) {
    const shape = badge(seat);
    for (const [name, value] of Object.entries({ x: -17, y: -17, width: 34, height: 34 })) shape.setAttribute(name, value);
    const mark = h('g.mark', {}, h('circle', { r: 24, class: 'grip' }), shape,
      h('text', { y: 32, 'text-anchor': 'middle' }, short(seat.name, 9)));
    mark.addEventListener('pointerdown', (event) => this.drag(event, mark, (at) => this.dragOnTable(seat, mark, at)));
    return mark;
  }
}

const set = (mark, angle) => mark.setAttribute('transform', `translate(${RADIUS * Math.cos(angle)} ${RADIUS * Math.sin(angle) - 6})`);

function middle(row) {
  const box = row.getBoundingClientRect();
  return box.top + box.height / 2;
}
