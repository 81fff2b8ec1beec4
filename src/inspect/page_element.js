// The element in focus: where it is in registers and in tensor memory, and which statements move it, those nearest to
// the step first. Pointing shows an element for a moment, picking (a click, a tap, arrow keys) keeps it, and says it
// to a screen reader. Every picture gets its ring here.
'use strict';
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
  $('e-tmem').title = $('e-tmem').textContent = !cells.length ? '–' : declaration.kind === 'tmem' ? object.name : elementName(kernel.tmems[tmem], ...partners[0].t);
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
