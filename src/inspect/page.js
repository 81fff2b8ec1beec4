// What the user does: pick a kernel, an object and an element, and step through the program. One state, and for each
// part of it the function that shows it; a change of an element redraws marks, not pictures.
'use strict';
const $ = (id) => document.getElementById(id);
const state = {kernel: null, step: 0, declaration: null, row: 0, col: 0, hover: null, link: null};
const make = (tag, words, attributes = {}) => {
  const element = document.createElement(tag);
  if (words !== undefined) element.textContent = words;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};
const kernels = DATA.kernels.map((data) => new Kernel(data));
const span = (first, count) => count === 1 ? String(first) : `${first}–${first + count - 1}`;
const bitsText = (bit, bits) => span(bit, bits);
const tile = (object) => `${object.dtype}[${object.vector ? object.rows : `${object.rows}, ${object.cols}`}]`;
const elementName = (object, row, col) => `${object.name}[${object.vector ? row : `${row}, ${col}`}]`;
const regionText = (name, [, row, col, rows, cols], object) =>
  object && rows === object.rows && cols === object.cols ? name : `${name}[${span(row, rows)}, ${span(col, cols)}]`;

// ---- the objects that the pictures show
/// The object of a kind that is on show, as index: the chosen one, or the other side of its copy.
function shown(kind) {
  const {kernel, declaration, link, step} = state;
  if (!declaration) return undefined;
  if (declaration.kind === kind) return kernel.instanceAt(declaration, step);
  return link === null ? undefined : kind === 'frag' ? kernel.steps[link].frag[0][0] : kernel.steps[link].tmem[0];
}
/// The copy that ties the chosen object to the other side: this step's, else the last one before, else the next.
function linkOf() {
  const {kernel, declaration, step} = state;
  if (!declaration) return null;
  const index = kernel.instanceAt(declaration, step);
  const ties = (i) => kernel.steps[i].tmem && kernel.touches(kernel.steps[i], declaration.kind, index).length > 0;
  for (let i = step; i >= 0; --i) if (ties(i)) return i;
  for (let i = step + 1; i < kernel.steps.length; ++i) if (ties(i)) return i;
  return null;
}

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
function clamp(n, size) { return Math.min(Math.max(n, 0), size - 1); }

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

// ---- the element in focus
function hover(unit) {
  state.hover = unit;
  showElement(false);
}
function pick(row, col) {
  Object.assign(state, {row, col, hover: null});
  showElement(true);
}
function showElement(speak) {
  const {kernel, declaration, link} = state;
  $('element').hidden = !declaration;
  if (!declaration) return;
  const [row, col] = state.hover || [state.row, state.col];
  const index = shown(declaration.kind), object = kernel.list(declaration.kind)[index];
  const map = kernel.map(declaration.kind, object), first = (row * object.cols + col) * map.copies;
  const own = [...Array(map.copies).keys()].map((k) => map.units[first + k]);
  const partners = link === null ? [] : kernel.partners(kernel.steps[link], declaration.kind, index, row, col);
  const isFrag = declaration.kind === 'frag';

  tensorGrid.point([[row, col]], !state.hover);
  point(isFrag ? registerGrid : memoryGrid, own, map);
  const other = shown(isFrag ? 'tmem' : 'frag');
  if (other === undefined) (isFrag ? memoryGrid : registerGrid).point([], false);
  else {
    const theirs = kernel.map(isFrag ? 'tmem' : 'frag', kernel.list(isFrag ? 'tmem' : 'frag')[other]);
    const per = 32 / theirs.parts;
    point(isFrag ? memoryGrid : registerGrid, partners.map((p) => isFrag ? p.cell.line * theirs.width + p.cell.word * theirs.parts + p.cell.bit / per
      : p.slot.line * theirs.width + p.slot.word * theirs.parts + p.slot.bit / per), theirs);
  }
  const slots = isFrag ? own.map((u) => placeOf(map, u)) : partners.map((p) => p.slot);
  const cells = isFrag ? partners.map((p) => p.cell) : own.map((u) => { const p = placeOf(map, u); return {...p, column: p.word + object.column}; });
  describe(object, row, col, slots, cells, partners, speak);
}
function point(grid, units, map) {
  const {shift = 0} = grid.picture;
  const seen = [...new Set(units)].map((u) => [Math.floor(u / map.width), u % map.width + shift]);
  grid.point(seen, true);
}
const unique = (list) => [...new Set(list)];
function describe(object, row, col, slots, cells, partners, speak) {
  const {kernel, declaration, link} = state, bits = object.bits;
  $('e-name').textContent = elementName(object, row, col);
  $('e-kind').textContent = `${object.dtype} ${declaration.kind === 'frag' ? 'fragment' : 'buffer'}, ${declaration.image.name.length > 40 ? 'layout' : declaration.image.name}`;
  const set = (id, values) => { const all = unique(values); $(id).textContent = all.length ? all.slice(0, 4).join(', ') + (all.length > 4 ? ', …' : '') : '–'; };
  set('e-thread', slots.map((p) => p.line));
  set('e-warp', slots.map((p) => p.line >> 5));
  set('e-reg', slots.map((p) => p.word));
  set('e-rbits', slots.map((p) => bitsText(p.bit, bits)));
  set('e-lane', cells.map((p) => p.line));
  set('e-column', cells.map((p) => p.column));
  set('e-cbits', cells.map((p) => bitsText(p.bit, bits)));
  const tmem = shown('tmem');
  $('e-tmem').textContent = !cells.length ? '–' : declaration.kind === 'tmem' ? object.name : elementName(kernel.tmems[tmem], ...partners[0].t);
  $('e-cell').classList.toggle('absent', !cells.length);
  $('e-register').classList.toggle('absent', !slots.length);
  const moves = movesOf(declaration.kind, row, col);
  $('e-count').textContent = moves.length > 1 ? `${moves.length} statements` : '';
  $('e-moves').replaceChildren(...moves.slice(0, 6).map((move) => {
    const item = make('li'), button = make('button', undefined, {'data-step': move.step, title: 'go to this step'});
    button.append(make('b', `line ${move.line}`), ' ', make('code', move.text), make('span', move.how));
    item.append(button);
    if (move.step === state.step) button.setAttribute('aria-current', 'step');
    return item;
  }), ...(moves.length > 6 ? [make('li', `and ${moves.length - 6} more`)] : moves.length ? [] : [make('li', 'nothing moves it')]));
  markSource(moves.map((m) => m.line));
  if (speak) {
    const at = slots.length ? `thread ${slots[0].line}, warp ${slots[0].line >> 5}, register ${slots[0].word}, bits ${bitsText(slots[0].bit, bits)}` : '';
    const cell = cells.length ? `lane ${cells[0].line}, column ${cells[0].column}` : '';
    $('said').textContent = [`${object.name} row ${row}, column ${col}`, at, cell, moves[0] ? `line ${moves[0].line}: ${moves[0].how}` : ''].filter(Boolean).join('; ');
  }
}
/// The statements that move an element, those nearest to this step first.
function movesOf(kind, row, col) {
  const {kernel, step} = state, index = shown(kind), found = [];
  const nearest = stepsOf(kind, index).sort((a, b) => Math.abs(a - step) - Math.abs(b - step)).slice(0, 64);
  for (const i of nearest) {
    const s = kernel.steps[i], head = {step: i, line: s.line, text: s.text.replace(/;$/, '') + (s.turn ? `   (${s.turn})` : '')};
    if (s.tmem) {
      for (const p of kernel.partners(s, kind, index, row, col).slice(0, 1))
        found.push({...head, how: p.message ? messageText(p.message, kernel.tmems[p.tmemIndex]) + `, register ${registerIn(p.message, p.slot.word)} of ${registerCount(p.message)}` : 'refused: no message moves it'});
    } else if (s.tensor && kernel.touches(s, kind, index).length) {
      const [, fr, fc, rows, cols] = s.frag[0], [t, tr, tc] = s.tensor;
      if (row < fr || col < fc || row >= fr + rows || col >= fc + cols) continue;
      const tensor = kernel.tensors[t], at = [tr + row - fr, tc + col - fc].map((n, i) => s.cta && s.cta[i] ? (n ? `cta + ${n}` : 'cta') : n);
      found.push({...head, how: `${s.do === 'load' ? 'from' : 'to'} global ${tensor.name}[${tensor.extents.length === 1 ? Math.max(tr + tc + row - fr + col - fc, 0) : at.join(', ')}]`});
    }
  }
  return found;
}
function stepsOf(kind, index) {
  const {kernel} = state, key = kind + index;
  kernel.uses = kernel.uses || new Map();
  if (!kernel.uses.size)
    kernel.steps.forEach((s, i) => {
      const add = (k) => kernel.uses.set(k, [...(kernel.uses.get(k) || []), i]);
      if (s.tmem) add('tmem' + s.tmem[0]);
      if (s.tmem || s.tensor) add('frag' + s.frag[0][0]);
    });
  return [...(kernel.uses.get(key) || [])];
}
function messageText(message, buffer) {
  const packed = message.pack ? ' packed' : '';
  return `${message.shape}.x${message.num}${packed}, row ${message.row}, column ${message.column + buffer.column}`;
}

// ---- steps
const does = {load: 'loads from global memory', store: 'stores to global memory',
  wait: 'waits', sync: 'barrier of the CTA', fill: 'fills registers', compute: 'computes in registers'};
function setStep(at) {
  const {kernel} = state;
  state.step = at;
  $('slider').value = at;
  follow();
  const was = state.link, old = [shown('frag'), shown('tmem')];
  state.link = linkOf();
  if (was !== state.link || old[0] !== shown('frag') || old[1] !== shown('tmem') || state.shownStep !== at) showPictures();
  state.shownStep = at;
  showStep();
  showMarks();
  showElement(false);
  showOwners();
  chart.point(at);
  if (kernel.steps[at] && kernel.steps[at].refused && kernel.steps[at].refused.row !== undefined) showRefused(kernel.steps[at]);
}
/// To an object that the step touches, when the chosen one is not among them.
function follow() {
  const {kernel, declaration, step} = state, now = kernel.steps[step];
  if (!now || (!now.tmem && !now.frag)) return;
  const touched = [...(now.frag || []).map((f) => kernel.frags[f[0]].declaration), ...(now.tmem ? [kernel.tmems[now.tmem[0]].declaration] : [])].filter(Boolean);
  if (!touched.length || touched.includes(declaration)) return;
  chooseObject(touched[0]);
}
function showRefused(step) {
  const {row, col} = step.refused, region = state.declaration.kind === 'frag' ? step.frag[0] : step.tmem;
  pick(region[1] + row, region[2] + col);
}
function showStep() {
  const {kernel, step} = state, now = kernel.steps[step];
  $('now').textContent = now ? `step ${step + 1} of ${kernel.steps.length}` : 'no statements';
  $('slider').setAttribute('aria-valuetext', now ? `step ${step + 1} of ${kernel.steps.length}, line ${now.line}, ${now.text}` : 'none');
  if (!now) { $('step-facts').replaceChildren(); return; }
  $('step-turn').textContent = [now.turn, now.group === undefined ? (kernel.warpgroups > 1 ? 'every warpgroup' : '') : `warpgroup ${now.group}`].filter(Boolean).join(' · ');
  const facts = [make('p', undefined, {class: 'statement'})];
  facts[0].append(make('b', `line ${now.line}`), ' ', make('code', now.text));
  facts.push(make('p', now.tmem ? copyText(now) : does[now.do] + (now.inserted ? ' (added by the compiler)' : '')));
  if (now.refused) facts.push(make('p', 'refused: no instruction does it' + (now.refused.row === undefined ? '' : `; the first element that disagrees is ${now.refused.row}, ${now.refused.col} of the copy`), {class: 'bad'}));
  if (now.moves !== undefined) facts.push(messageList(now));
  if (now.completes) facts.push(make('p', now.completes.length ? `completes ${now.completes.slice(0, 4).map((i) => briefly(kernel.steps[i])).join('; ')}${now.completes.length > 4 ? '; …' : ''}` : 'completes nothing'));
  $('step-facts').replaceChildren(...facts);
  const waiting = kernel.outstanding(step);
  $('outstanding').replaceChildren(...(waiting.length ? waiting.slice(-8).map((i) => {
    const s = kernel.steps[i];
    const item = make('li', briefly(s));
    item.append(make('small', isFinite(s.done) ? ` until line ${kernel.steps[s.done].line}` : ' no wait follows'));
    return item;
  }) : [make('li', 'nothing', {class: 'none'})]));
  $('memory').textContent = memoryText();
  markSource();
}
function copyText(step) {
  const {kernel} = state, buffer = kernel.tmems[step.tmem[0]], fragment = kernel.frags[step.frag[0][0]];
  const columns = columnsOf(step).map(([a, b]) => span(a, b - a)).slice(0, 3).join(', ');
  const sides = [regionText(buffer.name, step.tmem, buffer), regionText(fragment.name, step.frag[0], fragment)];
  return step.do === 'st' ? `stores ${sides[1]} to ${sides[0]}, columns ${columns}` : `loads ${sides[0]}, columns ${columns}, to ${sides[1]}`;
}
function messageList(step) {
  const {kernel} = state, list = make('ul', undefined, {class: 'messages'});
  const messages = kernel.moves[step.moves], buffer = kernel.tmems[step.tmem[0]];
  for (const m of messages.slice(0, 6)) {
    const warps = kernel.groupsOf(step).flatMap((g) => m.warps.map((w) => 4 * g + w));
    list.append(make('li', `${messageText(m, buffer).replaceAll(',', '')} warps ${warps.length > 4 || warps[warps.length - 1] - warps[0] === warps.length - 1 ? span(warps[0], warps.length) : warps.join(', ')}`));
  }
  if (messages.length > 6) list.append(make('li', `and ${messages.length - 6} more`));
  return list;
}
function briefly(step) { return `${step.do} ${step.text.replace(/^copy_async /, '').replace(/;$/, '')} (line ${step.line})`; }
function memoryText() {
  const {kernel, step} = state;
  if (!kernel.groups.length) return 'none is used';
  const live = kernel.groups.map((g, i) => [g, i]).filter(([g]) => kernel.isLive(g, step));
  const names = live.slice(0, 5).map(([g, i]) => {
    const all = unique(kernel.tmems.filter((b) => b.group === i && b.argument === undefined).map((b) => b.name));
    return `${all.slice(0, 5).join(' = ')}${all.length > 5 ? ' = …' : ''} (${span(g.column, g.columns)})`;
  });
  kernel.peak = kernel.peak || peakOf(kernel);
  const edge = kernel.needed > COLUMNS_THERE_ARE ? `${kernel.needed} needed, ${kernel.needed - COLUMNS_THERE_ARE} more than there are`
    : kernel.function ? '' : `${kernel.allocated} allocated`;
  return [`in use: ${names.join(', ') || 'nothing'}${live.length > 5 ? ', …' : ''}`, `${kernel.liveColumns(step)} columns now`,
    `${kernel.peak.columns} at most${kernel.peak.line ? ` (line ${kernel.peak.line})` : ''}`, edge].filter(Boolean).join(' · ');
}
/// The most columns in use at once, and where first: it can only rise where a group begins.
function peakOf(kernel) {
  const starts = unique(kernel.groups.map((g) => g.life ? kernel.stepOf[g.life[0]] : 0)).sort((a, b) => a - b).slice(0, 2000);
  let best = {columns: 0};
  for (const at of starts) { const columns = kernel.liveColumns(at); if (columns > best.columns) best = {columns, line: (kernel.steps[at] || {}).line}; }
  return best;
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

// ---- source
function showSource() {
  const hasSteps = new Set(state.kernel ? state.kernel.steps.map((s) => s.line) : []);
  const bad = new Map(DATA.diagnostics.filter((d) => d.line).map((d) => [d.line, d.severity]));
  const lines = DATA.source.replace(/^\ufeff/, '').split(/\r?\n/);
  if (lines[lines.length - 1] === '') lines.pop();
  $('source').replaceChildren(...lines.slice(0, 20000).map((text, i) => {
    const line = make('div', undefined, {class: 'line', 'data-line': i + 1});
    if (hasSteps.has(i + 1)) line.classList.add('step');
    if (bad.has(i + 1)) line.classList.add(bad.get(i + 1));
    line.append(make('span', i + 1, {class: 'number'}), make('span', text || ' '));
    return line;
  }));
}
let marked = [];
function markSource(moved) {
  const {kernel, step} = state, code = $('source');
  if (moved) state.moved = moved;
  marked.forEach((line) => { line.classList.remove('now', 'moves'); line.removeAttribute('aria-current'); });
  marked = [];
  const mark = (number, name) => {
    const line = code.children[number - 1];
    if (line) { line.classList.add(name); marked.push(line); }
    return line;
  };
  (state.moved || []).forEach((number) => mark(number, 'moves'));
  const line = kernel && kernel.steps[step] && mark(kernel.steps[step].line, 'now');
  if (!line) return;
  line.setAttribute('aria-current', 'step');
  if (state.seenLine === line) return;
  state.seenLine = line;
  const top = line.offsetTop - code.offsetTop;
  if (top < code.scrollTop + 8 || top > code.scrollTop + code.clientHeight - 32) code.scrollTop = top - code.clientHeight / 2;
}
function showTrouble() {
  $('trouble').hidden = !DATA.diagnostics.length;
  if (!DATA.diagnostics.length) return;
  const errors = DATA.diagnostics.filter((d) => d.severity === 'error').length;
  $('trouble').classList.toggle('refused', errors > 0);
  $('trouble').replaceChildren(make('h2', errors ? 'Refused' : 'Warnings'), ...[...DATA.diagnostics].sort((a, b) => (b.severity === 'error') - (a.severity === 'error')).slice(0, 20).map((d) => {
    const item = make('details');
    item.append(make('summary', `${d.severity === 'error' ? '✖' : '⚠'} ${d.code}${d.line ? `, line ${d.line}` : ''}: ${d.message}`));
    for (const note of d.notes || []) item.append(make('p', note));
    for (const help of d.helps || []) item.append(make('p', 'help: ' + help, {class: 'help'}));
    if (d === DATA.diagnostics.find((one) => one.severity === 'error')) item.open = true;
    return item;
  }));
}

// ---- choosing
function chooseObject(declaration) {
  state.declaration = declaration;
  state.hover = null;
  const index = state.kernel.declarations.indexOf(declaration);
  const input = $('objects').querySelectorAll('input')[index];
  if (input) { input.checked = true; input.closest('label').scrollIntoView({block: 'nearest', inline: 'nearest'}); }
  state.row = Math.min(state.row, declaration.object.rows - 1);
  state.col = Math.min(state.col, declaration.object.cols - 1);
  state.link = linkOf();
  showPictures();
  showMarks();
  showElement(false);
}
function showObjects() {
  const box = $('objects');
  box.querySelectorAll('label').forEach((label) => label.remove());
  state.kernel.declarations.forEach((declaration, i) => {
    const label = make('label', undefined, {class: declaration.kind}), input = make('input', undefined, {type: 'radio', name: 'object', value: i});
    const times = declaration.instances.length;
    label.append(input, make('b', declaration.object.name), make('span', tile(declaration.object)),
      make('small', (declaration.image.name.length > 24 ? 'layout' : declaration.image.name.replace(/^(datapath|atom) /, '')) + (times > 1 ? ` ×${times}` : '')));
    label.title = `${declaration.kind === 'frag' ? 'fragment' : 'buffer'}, line ${declaration.object.line}, ${declaration.image.name}`;
    input.addEventListener('change', () => chooseObject(declaration));
    box.append(label);
  });
}
function chooseKernel(kernel) {
  Object.assign(state, {kernel, step: 0, declaration: null, link: null, row: 0, col: 0, hover: null, shownStep: -1});
  $('kernel').value = kernels.indexOf(kernel);
  $('slider').max = Math.max(kernel.steps.length - 1, 0);
  $('slider').disabled = !kernel.steps.length;
  showSource();
  showObjects();
  chart.show(kernel);
  $('objects').hidden = !kernel.declarations.length;
  const wanted = kernel.declarations.find((d) => d.object.name === DATA.show.object) || kernel.declarations[0];
  const refused = kernel.steps.findIndex((s) => s.refused);
  const first = refused >= 0 ? refused : Math.max(kernel.steps.findIndex((s) => s.tmem), 0);
  if (wanted) chooseObject(wanted);
  setStep(first);
  const facts = kernel.needed > COLUMNS_THERE_ARE ? `does not fit: ${kernel.needed} columns, ${kernel.needed - COLUMNS_THERE_ARE} too many`
    : kernel.allocated ? `${kernel.allocated} allocated, ${kernel.needed} placed` : 'no tensor memory';
  title('chart-view', facts, 'a bar from the first access to the wait behind the last');
}
function chooseView(view) {
  for (const name of ['layout', 'map']) {
    const chosen = name === view;
    $('tab-' + name).setAttribute('aria-selected', chosen);
    $('tab-' + name).tabIndex = chosen ? 0 : -1;
    $(name === 'layout' ? 'views' : 'map').hidden = !chosen;
  }
  document.body.classList.toggle('mapping', view === 'map');
  showOwners();
  [...grids, ownersGrid, chart].forEach((g) => { g.resized(); g.soon(); });
  chart.kernel && chart.point(state.step);
}

// ---- light and dark, keys, buttons
function setTheme(dark) {
  Theme.dark = dark;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  Theme.read();
  const warps = [0, 1, 2, 3].map((w) => {
    const sign = make('span');
    const swatch = make('i', 'w' + w, {class: 'sign warp'});
    swatch.style.background = `rgb(${Theme.tones[w * 4 + 3]})`;
    sign.append(swatch, ` warp ${w}: ${['plain', 'rising lines', 'falling lines', 'dots'][w]}`);
    return sign;
  });
  $('warps').replaceChildren(...warps);
  if (!state.kernel) return;
  showPictures(); showMarks(); showElement(false); showOwners(); chart.soon();
}
let timer = 0;
function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => { if (state.step + 1 < state.kernel.steps.length) setStep(state.step + 1); else play(false); }, 900) : 0;
  $('run').textContent = on ? 'pause' : 'play';
  $('run').setAttribute('aria-pressed', on);
}
function go(by) {
  play(false);
  const to = clamp(state.step + by, state.kernel.steps.length);
  if (state.kernel.steps.length) setStep(to);
  if (state.kernel.steps[to]) $('said').textContent = `step ${to + 1}, line ${state.kernel.steps[to].line}: ${state.kernel.steps[to].text}`;
}
const keys = {n: () => go(1), p: () => go(-1), t: () => setTheme(!Theme.dark), '?': () => $('keys').showModal(),
  m: () => chooseView($('map').hidden ? 'map' : 'layout'), ' ': () => play(!timer),
  o: () => { const all = state.kernel.declarations; if (all.length) chooseObject(all[(all.indexOf(state.declaration) + 1) % all.length]); }};
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $('keys').open) return;
  if (event.target.matches('select') || (event.key === ' ' && event.target.matches('button, summary'))) return;
  if (keys[event.key] && state.kernel) { keys[event.key](); event.preventDefault(); }
});
$('theme').addEventListener('click', keys.t);
$('help').addEventListener('click', keys['?']);
$('first').addEventListener('click', () => go(-1e9));
$('back').addEventListener('click', () => go(-1));
$('next').addEventListener('click', () => go(1));
$('last').addEventListener('click', () => go(1e9));
$('run').addEventListener('click', () => play(!timer));
$('slider').addEventListener('input', () => { play(false); setStep(Number($('slider').value)); });
$('kernel').addEventListener('change', () => chooseKernel(kernels[$('kernel').value]));
$('e-moves').addEventListener('click', (event) => { const button = event.target.closest('button'); if (button) go(Number(button.dataset.step) - state.step); });
document.querySelectorAll('[data-view]').forEach((button) => {
  button.addEventListener('click', () => chooseView(button.dataset.view));
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    keys.m();
    document.querySelector('[role=tab][aria-selected=true]').focus();
  });
});
$('source').addEventListener('click', (event) => {
  const line = event.target.closest('.step');
  if (!line) return;
  const all = state.kernel.steps.map((s, i) => [s.line, i]).filter(([n]) => n === Number(line.dataset.line)).map(([, i]) => i);
  go((all.find((i) => i > state.step) ?? all[0]) - state.step); // each click the next turn of the loop
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => setTheme(event.matches));

// ---- begin
document.title = `${DATA.file.replace(/.*\//, '')} – tmemc layout`;
$('file').textContent = DATA.file.replace(/.*\//, '');
$('target').textContent = DATA.target;
kernels.forEach((kernel, i) => $('kernel').append(make('option', kernel.name + (kernel.function ? ' (function)' : ''), {value: i})));
$('kernel-field').hidden = !kernels.length;
showTrouble();
setTheme(matchMedia('(prefers-color-scheme: dark)').matches);
if (kernels.length) {
  chooseKernel(kernels.find((kernel) => kernel.name === DATA.show.kernel) || kernels[0]);
  chooseView(DATA.show.map ? 'map' : 'layout');
} else {
  document.body.classList.add('empty');
  showSource();
}
document.documentElement.dataset.ready = Math.round(performance.now());
