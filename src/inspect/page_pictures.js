// From the state to the pictures: three of the layout view (the tensor, registers, tensor memory), and the owners of
// each cell in the map view. A picture is a Grid (page_grid.js) and is given a tone and a label for each unit; marks
// (what this step touches, what is outstanding) are masks over the same units, so that another step or element redraws
// marks alone. An element pointed at in any picture is translated into one of the chosen object.
'use strict';
const tensorGrid = new Grid($('tensor-view'), {
  hover: (unit) => hover(unit), pick: ([r, c]) => pick(r, c),
  move: (dr, dc) => { const {rows, cols} = tensorGrid.picture; pick(clamp(state.row + dr, rows), clamp(state.col + dc, cols)); },
});
const registerGrid = new Grid($('registers-view'), hardware('frag', () => registerGrid));
const memoryGrid = new Grid($('memory-view'), hardware('tmem', () => memoryGrid));
const ownersGrid = new Grid($('owners-view'), {
  hover: (unit) => sayOwner(unit), pick: (unit) => { ownersGrid.point([unit], true); sayOwner(unit); },
  move: (dr, dc) => {
    const [r, c] = ownersGrid.focus[0] || [0, 0], {rows, cols} = ownersGrid.picture;
    const unit = [clamp(r + dr, rows), clamp(c + dc, cols)];
    ownersGrid.point([unit], true);
    sayOwner(unit, true);
  },
});
const chart = new MapChart($('chart-view'), {step: (i) => setStep(i), columns: columnsOf});
const grids = [tensorGrid, registerGrid, memoryGrid];

/// In a hardware picture a unit is an element of the object on show there, which may be the other side of the copy.
function hardware(kind, grid) {
  const element = (unit) => {
    const index = shown(kind);
    if (!unit || index === undefined) return null;
    const object = state.kernel.list(kind)[index], map = state.kernel.map(kind, object);
    const col = unit[1] - grid().picture.shift;
    if (col < 0 || col >= map.width) return null;
    const found = map.elements[unit[0] * map.width + col];
    return found < 0 ? null : mine(kind, index, Math.floor(found / object.cols), found % object.cols);
  };
  return {
    hover: (unit) => hover(element(unit)),
    pick: (unit) => { const e = element(unit); if (e) pick(...e); },
    move: (dr, dc) => { // to the next unit that way that holds something
      const {rows, cols} = grid().picture;
      let [r, c] = grid().focus[0] || [0, grid().picture.shift];
      for (let i = 0; i < rows * 4; ++i) {
        const next = [clamp(r + dr, rows), clamp(c + dc, cols)];
        if (next[0] === r && next[1] === c) return;
        [r, c] = next;
        const e = element(next);
        if (e) { pick(...e); return; }
      }
    },
  };
}
/// An element of either side as one of the chosen object, or null when it does not take part in the copy.
function mine(kind, index, row, col) {
  if (kind === state.declaration.kind) return [row, col];
  const partner = state.kernel.partners(state.kernel.steps[state.link], kind, index, row, col)[0];
  return partner ? (kind === 'frag' ? partner.t : partner.f) : null;
}

// ---- pictures
function showPictures() {
  const {kernel, declaration} = state;
  if (!declaration) return;
  const index = shown(declaration.kind), object = kernel.list(declaration.kind)[index];
  const map = kernel.map(declaration.kind, object), isFrag = declaration.kind === 'frag';
  const place = (r, c) => placeOf(map, map.units[(r * object.cols + c) * map.copies]);
  const shade = new Uint8Array(object.rows * object.cols);
  for (let e = 0; e < shade.length; ++e) {
    const line = Math.floor(map.units[e * map.copies] / map.width);
    shade[e] = toneOf(line >> 5, line & 31);
  }
  tensorGrid.show({rows: object.rows, cols: object.cols, tones: shade, parts: 1, corner: '',
    label: (r, c) => { const p = place(r, c); return `${p.line}:${p.word + (isFrag ? 0 : object.column)}`; }});
  title('tensor-view', `${object.name} ${tile(object)}`, isFrag ? 'thread:register in each cell' : 'lane:column in each cell');
  $('tensor-view').querySelector('.scroller').setAttribute('aria-label', `Tensor ${object.name}, ${object.rows} rows, ${object.cols} columns; arrow keys move`);
  $('views').classList.toggle('wide', object.cols * 6 > 1000);
  showHardware('frag', registerGrid, 'registers-view');
  showHardware('tmem', memoryGrid, 'memory-view');
}
function title(view, name, hint) {
  const small = $(view).querySelector('small');
  small.textContent = name;
  small.title = hint;
  $(view).querySelector('h2').title = hint;
}
function showHardware(kind, grid, view) {
  const {kernel} = state, index = shown(kind);
  const object = index === undefined ? null : kernel.list(kind)[index];
  const map = object ? kernel.map(kind, object) : null;
  const shift = object && kind === 'tmem' ? object.column * map.parts : 0;
  const cols = kind === 'tmem' ? Math.max(kernel.limit, 1) * (map ? map.parts : 1) : map ? map.width : 0;
  const absent = kind === 'tmem' ? kernel.limit === 0 : !map;
  $(view).classList.toggle('absent', absent);
  title(view, object ? object.name : absent ? 'none' : 'no buffer is copied', kind === 'frag' ? 'row,column of the element in each thread’s registers' : 'row,column of the element in each lane and column');
  const fill = new Uint8Array(128 * Math.max(cols, 1)).fill(NONE);
  if (map)
    for (let u = 0; u < map.elements.length; ++u)
      if (map.elements[u] >= 0) {
        const line = Math.floor(u / map.width);
        const at = line * cols + u % map.width + shift;
        fill[at] = toneOf(line >> 5, line & 31);
      }
  const element = (r, c) => {
    const e = map && c - shift >= 0 && c - shift < map.width ? map.elements[r * map.width + c - shift] : -1;
    return e < 0 ? '' : object.vector ? String(e) : `${Math.floor(e / object.cols)},${e % object.cols}`;
  };
  grid.show({rows: 128, cols: Math.max(cols, 1), tones: fill, parts: map ? map.parts : 1, shift, label: element,
    warpOfRow: (r) => r >> 5, corner: kind === 'frag' ? 'thread' : 'lane',
    sample: object ? [object.vector ? '127' : `${object.rows - 1},${object.cols - 1}`] : [],
    owners: kind === 'tmem' ? bands(map ? map.parts : 1, index) : undefined});
  grid.root.setAttribute('aria-label', absent ? 'nothing to show' : kind === 'frag' ? `Registers of ${object.name}, 128 threads by ${map.words} registers; arrow keys move`
    : `Tensor memory, 128 lanes by ${kernel.limit} columns; arrow keys move`);
}
/// Whose the columns are, a band for each run with the same names.
function bands(parts, chosen) {
  const {kernel} = state, seen = new Map();
  kernel.tmems.forEach((buffer, index) => {
    if (buffer.argument !== undefined) return;
    const last = buffer.column + kernel.cells[buffer.image].words;
    const live = kernel.isLive(kernel.groups[buffer.group], state.step) || index === chosen;
    if (!live) return;
    const key = `${buffer.column} ${last}`;
    const entry = seen.get(key) || [buffer.column * parts, last * parts, '', false];
    entry[2] = entry[2].split(' = ').includes(buffer.name) ? entry[2] : entry[2] ? entry[2] + ' = ' + buffer.name : buffer.name;
    entry[3] = entry[3] || index === chosen;
    seen.set(key, entry);
  });
  return [...seen.values()].sort((a, b) => (b[1] - b[0]) - (a[1] - a[0]) || a[0] - b[0]);
}

// ---- marks: what this step touches and what is outstanding
function regionMask(kind, index, regions, grid, tensor) {
  if (!regions.length) return null;
  const object = state.kernel.list(kind)[index], map = state.kernel.map(kind, object), {cols, rows, shift = 0} = grid.picture;
  const mask = new Uint8Array(rows * cols);
  for (const [, row, col, height, width] of regions)
    for (let r = row; r < row + height; ++r)
      for (let c = col; c < col + width; ++c)
        if (tensor) mask[r * cols + c] = 1;
        else for (let k = 0; k < map.copies; ++k) {
          const unit = map.units[(r * object.cols + c) * map.copies + k];
          mask[Math.floor(unit / map.width) * cols + unit % map.width + shift] = 1;
        }
  return mask;
}
function showMarks() {
  const {kernel, step, declaration} = state;
  if (!declaration || !kernel.steps.length) return;
  const now = kernel.steps[step], waiting = kernel.outstanding(step).filter((i) => i !== step || now.done > step);
  const mark = (kind, grid, tensor) => {
    const index = shown(kind);
    if (index === undefined) { grid.mark(null, null); return; }
    const touched = kernel.touches(now, kind, index).map((t) => t.region);
    // A store reads its fragment at once; only what a load will fill is outstanding in registers.
    const late = waiting.filter((i) => kind === 'tmem' || kernel.steps[i].do === 'ld').flatMap((i) => kernel.touches(kernel.steps[i], kind, index)).map((t) => t.region);
    grid.mark(regionMask(kind, index, touched, grid, tensor), regionMask(kind, index, late, grid, tensor));
  };
  mark(declaration.kind, tensorGrid, true);
  mark('frag', registerGrid, false);
  mark('tmem', memoryGrid, false);
}
/// Columns of tensor memory that a step touches, as runs.
function columnsOf(step) {
  const {kernel} = state;
  if (step.columns) return step.columns;
  const buffer = kernel.tmems[step.tmem[0]], map = kernel.map('tmem', buffer), found = new Set();
  const [, row, col, rows, cols] = step.tmem;
  for (const r of new Set([row, row + rows - 1]))
    for (let c = col; c < col + cols; ++c)
      for (let k = 0; k < map.copies; ++k) found.add(placeOf(map, map.units[(r * buffer.cols + c) * map.copies + k]).word + buffer.column);
  step.columns = [...found].sort((a, b) => a - b).reduce((runs, n) => {
    if (runs.length && runs[runs.length - 1][1] === n) runs[runs.length - 1][1] = n + 1; else runs.push([n, n + 1]);
    return runs;
  }, []);
  return step.columns;
}

// ---- the map at a step
function showOwners() {
  if ($('map').hidden) return;
  const {kernel, step} = state, cols = Math.max(kernel.limit, 1);
  const fill = new Uint8Array(128 * cols).fill(NONE);
  kernel.ownerNames = new Map();
  kernel.tmems.forEach((buffer) => {
    if (buffer.argument !== undefined || !kernel.isLive(kernel.groups[buffer.group], step)) return;
    const map = kernel.map('tmem', buffer);
    const cells = buffer.cellsThere = buffer.cellsThere || unique([...map.units].map((u) => Math.floor(u / map.width) * map.words + Math.floor(u % map.width / map.parts)));
    for (const cell of cells) {
      const at = Math.floor(cell / map.words) * cols + cell % map.words + buffer.column;
      fill[at] = 16 + buffer.group % 8;
      const names = kernel.ownerNames.get(at);
      if (!names) kernel.ownerNames.set(at, [buffer.name]); else if (!names.includes(buffer.name)) names.push(buffer.name);
    }
  });
  const short = (names) => names.join('=').slice(0, 6);
  ownersGrid.show({rows: 128, cols, tones: fill, parts: 1, shift: 0, corner: 'lane', warpOfRow: (r) => r >> 5,
    label: (r, c) => short(kernel.ownerNames.get(r * cols + c) || []), sample: kernel.tmems.slice(0, 50).map((b) => b.name.slice(0, 6)), owners: bands(1)});
  ownersGrid.root.setAttribute('aria-label', `Tensor memory at this step, 128 lanes by ${cols} columns; arrow keys move`);
  const now = kernel.steps[step];
  const mask = (steps) => {
    if (!steps.length) return null;
    const made = new Uint8Array(128 * cols);
    for (const s of steps) {
      const buffer = kernel.tmems[s.tmem[0]], map = kernel.map('tmem', buffer), [, row, col, rows, width] = s.tmem;
      for (let r = row; r < row + rows; ++r) for (let c = col; c < col + width; ++c) for (let k = 0; k < map.copies; ++k) {
        const p = placeOf(map, map.units[(r * buffer.cols + c) * map.copies + k]);
        made[p.line * cols + p.word + buffer.column] = 1;
      }
    }
    return made;
  };
  ownersGrid.mark(mask(now && now.tmem ? [now] : []), mask(kernel.outstanding(step).map((i) => kernel.steps[i])));
  title('owners-view', now ? `line ${now.line}` : '', 'the owner of each cell');
}
function sayOwner(unit, speak) {
  const {kernel} = state, small = $('owners-view').querySelector('small');
  const now = kernel.steps[state.step];
  if (!unit) { small.textContent = now ? `line ${now.line}` : ''; return; }
  const names = kernel.ownerNames.get(unit[0] * ownersGrid.picture.cols + unit[1]) || ['free'];
  small.textContent = `lane ${unit[0]}, column ${unit[1]}: ${names.join(' = ')}`;
  if (speak) $('said').textContent = small.textContent;
}
