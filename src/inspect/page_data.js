// What the program says: maps from digits, steps, what is outstanding. Nothing here knows of pictures.
'use strict';
const DATA = JSON.parse(document.getElementById('data').textContent);

// ---- maps: a layout evaluated for a tile. A unit is the place of one element in hardware, counted row-major:
// for a fragment threads x (registers * parts), for a buffer lanes x (columns * parts), where `parts` elements
// share a word. `units[element * copies + copy]` is the place of an element, `elements[unit]` what lies there, or -1.
const AXIS = {tid: 0, wid: 1, lane: 2, m: 3, TLane: 4, TCol: 5};

function evaluate(image, tile, isCell) {
  const copies = (image.replica || []).reduce((n, d) => n * d[0], 1);
  const wheels = [...image.digits, ...(image.replica || [])];
  const place = [...(image.offset || [0, 0, 0, 0, 0, 0])];
  const parts = 32 / tile.bits, width = image.words * parts;
  const count = tile.rows * tile.cols * copies;
  const units = new Int32Array(count), elements = new Int32Array(128 * width).fill(-1);
  const values = wheels.map(() => 0);
  for (let i = 0; i < count; ++i) {
    const line = isCell ? place[AXIS.TLane] : place[AXIS.tid] + 32 * place[AXIS.wid] + place[AXIS.lane];
    units[i] = line * width + place[isCell ? AXIS.TCol : AXIS.m];
    elements[units[i]] = Math.floor(i / copies);
    for (let w = wheels.length - 1; w >= 0; --w) { // turn the wheels of an odometer
      const [extent, stride, axis] = wheels[w];
      if (++values[w] < extent) { place[axis] += stride; break; }
      place[axis] -= stride * (values[w] - 1);
      values[w] = 0;
    }
  }
  return {copies, parts, width, words: image.words, units, elements};
}

/// What a unit is called: its thread (or lane), its register (or column), its first bit.
function placeOf(map, unit) {
  const line = Math.floor(unit / map.width), slot = unit % map.width;
  return {line, word: Math.floor(slot / map.parts), bit: slot % map.parts * (32 / map.parts)};
}

// ---- a kernel
class Kernel {
  constructor(data) {
    Object.assign(this, data);
    this.maps = new Map();
    this.declarations = []; // what a declaration makes in every turn of a loop is one entry of the page's list
    const known = new Map();
    const declare = (kind, list) => list.forEach((object, index) => {
      if (object.hidden) return; // of the compiler's
      const key = [kind, object.name, object.line, object.image, object.rows, object.cols, object.dtype].join();
      if (!known.has(key)) {
        known.set(key, this.declarations.length);
        this.declarations.push({kind, object, instances: [], image: (kind === 'frag' ? this.slots : this.cells)[object.image]});
      }
      object.declaration = this.declarations[known.get(key)];
      object.declaration.instances.push(index);
    });
    declare('tmem', this.tmems);
    declare('frag', this.frags);
    this.makeSteps();
    this.limit = this.needed > 512 ? this.needed : Math.max(this.needed, this.allocated); // columns to draw
  }

  /// The map of an object, made when it is first asked for and shared by all with its image.
  map(kind, object) {
    const key = `${kind} ${object.image} ${object.rows} ${object.cols} ${object.bits}`;
    if (!this.maps.has(key))
      this.maps.set(key, evaluate((kind === 'frag' ? this.slots : this.cells)[object.image], object, kind === 'tmem'));
    return this.maps.get(key);
  }

  /// Statements and the waits that the compiler added, in the order in which they happen.
  makeSteps() {
    const written = this.steps;
    this.steps = [];
    this.stepOf = []; // of a position among the statements: the step that stands there
    const added = new Map();
    for (const wait of this.inserted) added.set(wait[0], [...(added.get(wait[0]) || []), wait]);
    const addWaits = (position) => (added.get(position) || []).forEach(([, kind, group]) =>
      this.steps.push({do: 'wait', kinds: [kind], inserted: true, site: null, ...(group < 0 ? {} : {group})}));
    written.forEach((step, i) => {
      this.stepOf.push(this.steps.length);
      addWaits(i);
      this.steps.push(step);
    });
    this.stepOf.push(this.steps.length);
    addWaits(written.length);
    this.steps.forEach((step, i) => {
      const site = step.site === null ? null : this.sites[step.site];
      step.line = site ? site.line : (this.steps[i - 1] || {line: this.line}).line;
      step.text = site ? site.text.replace(/\s+/g, ' ') : `wait ${step.kinds};`;
      step.instance = {tmem: step.tmem && step.tmem[0], frag: step.frag && step.frag.map((f) => f[0])};
    });
    const waits = this.steps.map((step, i) => [step, i]).filter(([step]) => step.do === 'wait');
    for (let i = this.steps.length - 1, next = {}; i >= 0; --i) { // by kind and warpgroup: the next wait behind a step
      const step = this.steps[i];
      if (step.tmem && !step.refused)
        step.done = Math.max(...this.groupsOf(step).map((g) => next[step.do + g] ?? Infinity));
      if (step.do === 'wait')
        for (const kind of step.kinds) for (const g of this.groupsOf(step)) next[kind + g] = i;
    }
    waits.forEach(([step, i]) => { step.completes = []; step.index = i; });
    this.steps.forEach((step, i) => { if (isFinite(step.done)) this.steps[step.done].completes.push(i); });
  }

  groupsOf(step) { return step.group === undefined ? [...Array(this.warpgroups).keys()] : [step.group]; }

  /// The loads and stores that have been issued and not been waited for, after a step.
  outstanding(at) {
    const found = [];
    for (let i = 0; i <= at && i < this.steps.length; ++i) if (this.steps[i].done > at) found.push(i);
    return found;
  }

  /// The object of a declaration that is in use at a step: the last one touched so far, else the first.
  instanceAt(declaration, at) {
    if (declaration.instances.length === 1) return declaration.instances[0];
    const mine = new Set(declaration.instances);
    const of = (step) => declaration.kind === 'tmem' ? [step.instance.tmem] : step.instance.frag || [];
    for (let i = at; i >= 0; --i) {
      const hit = of(this.steps[i]).find((index) => mine.has(index));
      if (hit !== undefined) return hit;
    }
    return declaration.instances[0];
  }

  list(kind) { return kind === 'frag' ? this.frags : this.tmems; }

  /// What a step does with an object: the regions that it touches, each with whether it writes.
  touches(step, kind, index) {
    if (kind === 'tmem')
      return step.tmem && step.tmem[0] === index ? [{region: step.tmem, writes: step.do === 'st'}] : [];
    return (step.frag || []).filter((use) => use[0] === index).map((use) => ({region: use, writes: use[5] === 1}));
  }

  /// The buffer of a call's parameter is a region of the caller's.
  bufferName(index) { const b = this.tmems[index]; return (b.argument === undefined ? b : this.tmems[b.argument]).name; }

  /// Where an element goes or comes from in one step: the elements of the other side, with their places and
  /// messages. Copies pair up by reach: a warp moves what lies in its own lanes.
  partners(step, kind, index, row, col) {
    if (!step.tmem || !this.touches(step, kind, index).length) return [];
    const mine = kind === 'frag' ? step.frag[0] : step.tmem, other = kind === 'frag' ? step.tmem : step.frag[0];
    const r = row - mine[1], c = col - mine[2];
    if (r < 0 || c < 0 || r >= Math.min(mine[3], other[3]) || c >= Math.min(mine[4], other[4])) return [];
    const frag = this.frags[step.frag[0][0]], tmem = this.tmems[step.tmem[0]];
    const slots = this.map('frag', frag), cells = this.map('tmem', tmem);
    const f = (step.frag[0][1] + r) * frag.cols + step.frag[0][2] + c;
    const t = (step.tmem[1] + r) * tmem.cols + step.tmem[2] + c;
    const found = [];
    for (let i = 0; i < slots.copies; ++i) {
      const slot = placeOf(slots, slots.units[f * slots.copies + i]);
      for (let k = 0; k < cells.copies; ++k) {
        const cell = placeOf(cells, cells.units[t * cells.copies + k]);
        if (slot.line >> 5 !== cell.line >> 5 && !step.refused) continue; // where the two sides of a refused copy disagree is the point
        const message = step.moves === undefined ? undefined : this.moves[step.moves].find((m) =>
          m.warps.includes(slot.line >> 5) && registerIn(m, slot.word) >= 0 && covers(m, cell.line % 32, cell.word));
        found.push({slot, cell: {...cell, column: cell.word + tmem.column}, message,
          fragIndex: step.frag[0][0], tmemIndex: step.tmem[0], f: [Math.floor(f / frag.cols), f % frag.cols],
          t: [Math.floor(t / tmem.cols), t % tmem.cols]});
      }
    }
    return found;
  }

  /// Who is in use at a step: alias groups by their lives.
  isLive(group, at) {
    if (!group.life) return true;
    const first = this.stepOf[group.life[0]], last = this.stepOf[Math.min(group.life[1], this.stepOf.length - 1)];
    return first <= at && at <= last;
  }

  /// Columns that are in use at a step, counted once however many names they have.
  liveColumns(at) {
    const runs = this.groups.filter((g) => this.isLive(g, at)).map((g) => [g.column, g.column + g.columns]).sort((a, b) => a[0] - b[0]);
    let total = 0, end = 0;
    for (const [first, last] of runs) { total += Math.max(0, last - Math.max(first, end)); end = Math.max(end, last); }
    return total;
  }
}

/// The place of a register in a message's vector, or -1; its registers are runs.
function registerIn(message, register) {
  for (let i = 0, before = 0; i < message.registers.length; i += 2) {
    const [first, count] = [message.registers[i], message.registers[i + 1]];
    if (register >= first && register < first + count) return before + register - first;
    before += count;
  }
  return -1;
}
/// Whether a message touches a cell, given by the lane of its warp and the column in its buffer. One of 16 lanes
/// begins at its row, others have all 32; the two halves of a split one lie apart.
const COLUMNS = {'32x32b': 1, '16x64b': 2, '16x128b': 4, '16x256b': 8, '16x32bx2': 1}; // of a message x1
function covers(message, lane, column) {
  const width = COLUMNS[message.shape] * message.num * (message.pack ? 2 : 1);
  const inside = (first) => column >= first && column < first + width;
  if (message.half_split !== undefined) return inside(message.column) || inside(message.column + (message.half_split & 0xffff));
  return inside(message.column) && (message.shape === '32x32b' || lane >> 4 === message.row >> 4);
}
function registerCount(message) {
  return message.registers.reduce((sum, n, i) => i % 2 ? sum + n : sum, 0);
}
