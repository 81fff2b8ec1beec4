// The column beside the pictures, in words: the messages of a program that has some, the source with the line of the
// step and the lines that move the element, what the step does, what is outstanding after it, and which columns of
// tensor memory are in use.
'use strict';
// ---- steps
const does = {load: 'loads from global memory', store: 'stores to global memory',
  wait: 'waits', sync: 'barrier of the CTA', fill: 'fills registers', compute: 'computes in registers'};
function showStep() {
  const {kernel, step} = state, now = kernel.steps[step];
  $('now').textContent = now ? `step ${step + 1} of ${kernel.steps.length}` : 'no statements';
  $('slider').setAttribute('aria-valuetext', now ? `step ${step + 1} of ${kernel.steps.length}, line ${now.line}, ${now.text}` : 'none');
  if (!now) { $('step-facts').replaceChildren(); return; }
  $('step-turn').textContent = [now.turn, now.group === undefined ? (kernel.warpgroups > 1 ? 'every warpgroup' : '') : `warpgroup ${now.group}`].filter(Boolean).join(' · ');
  const facts = [make('p', undefined, {class: 'statement'})];
  facts[0].append(make('b', `line ${now.line}`), ' ', make('code', now.text));
  facts.push(make('p', now.tmem ? copyText(now) : does[now.do] + (now.inserted ? ' (added by the compiler)' : '')));
  if (now.refused) facts.push(make('p', 'refused: no instruction does it' + (now.refused.row === undefined ? '' : `; the first element that disagrees is the copy’s row ${now.refused.row}, column ${now.refused.col}`), {class: 'bad'}));
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
