// What the page knows besides the program: which kernel, step, object and element are on show. One state, from which
// every picture and text is made; nobody else keeps a copy. With it the words that all of them use: how a tile, an
// element, a run of columns is called, and which objects a picture shows.
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
const clamp = (n, size) => Math.min(Math.max(n, 0), size - 1);
const unique = (list) => [...new Set(list)];
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
