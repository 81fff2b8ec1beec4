// What the user does: pick a kernel, an object and a view, step through the program, switch between light and dark, by
// buttons and by keys. Each changes the state and calls what shows the part that changed. At the end of the scripts,
// the page begins here.
'use strict';
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

// ---- steps
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
document.title = `${DATA.file} – tmemc layout`;
$('file').textContent = DATA.file;
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
