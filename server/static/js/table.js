// The table as a drawing: hub, trains, open ends, markers, open doubles and who owes the cover.

import { h } from './lib.js';

export class TableView {
  constructor(place, state) {
    this.place = place;
    this.update(state);
  }

  update(state) {
    this.state = state;
    this.place.replaceChildren(h('p', {}, ''));
  }
}
