// A picture of cells that scrolls and zooms: rows x cols units, each with a tone (a colour of PALETTE), a label, and
// marks: what a step touches is outlined and the rest fades, what is outstanding is hatched, the element in focus has
// a ring. Only what is visible is drawn, from an image with one pixel a unit, so a tile of 65,536 elements costs no
// more than one of 100. Warps differ by texture too, where cells are too small for words.
'use strict';
const WARP_HUES = [212, 32, 152, 318], OWNER_HUES = [200, 22, 265, 130, 345, 50, 178, 300];
const NONE = 255, COLUMNS_THERE_ARE = 512;

/// Tones 0 to 15: warp * 4 + shade; from 16 on: owners of columns.
function tones(dark) {
  const tone = (hue, light) => {
    const s = dark ? 0.46 : 0.78, l = light / 100, a = s * Math.min(l, 1 - l);
    const channel = (n) => { const k = (n + hue / 30) % 12; return Math.round(255 * (l - a * Math.max(-1, Math.min(k - 3, 9 - k, 1)))); };
    return [channel(0), channel(8), channel(4)];
  };
  const shades = dark ? [17, 20.5, 24, 27.5] : [92, 87.5, 83, 78.5];
  return [...WARP_HUES.flatMap((hue) => shades.map((l) => tone(hue, l))), ...OWNER_HUES.map((hue) => tone(hue, dark ? 26 : 84))];
}
/// Neighbours of a warp differ: both the lane's lowest bits and the next two count.
function toneOf(warp, lane) { return warp * 4 + ((lane ^ (lane >> 2)) & 3); }

const Theme = {
  dark: false, tones: [], patterns: [],
  read() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ['ink', 'soft', 'panel', 'line', 'strong', 'accent', 'wait', 'bad', 'ring'])
      this[name] = style.getPropertyValue('--' + name).trim();
    this.tones = tones(this.dark);
    this.patterns = [0, 1, 2, 3].map((kind) => this.pattern(kind, this.dark ? '#ffffff2b' : '#00000024', 1));
    this.hatch = this.pattern(1, this.wait, 1.1, 12);
  },
  /// 0 plain, 1 rising lines, 2 falling lines, 3 dots.
  pattern(kind, color, width, size = 8) {
    const tile = document.createElement('canvas');
    tile.width = tile.height = size;
    const pen = tile.getContext('2d');
    pen.strokeStyle = pen.fillStyle = color;
    pen.lineWidth = width;
    pen.beginPath();
    for (const shift of [-size, 0, size]) {
      if (kind === 1) { pen.moveTo(shift - 1, size + 1); pen.lineTo(shift + size + 1, -1); }
      if (kind === 2) { pen.moveTo(shift - 1, -1); pen.lineTo(shift + size + 1, size + 1); }
    }
    pen.stroke();
    if (kind === 3) { pen.fillRect(1, 1, 2, 2); pen.fillRect(5, 5, 2, 2); }
    return pen.createPattern(tile, 'repeat');
  },
};

/// A canvas of the size of its scroller's window, in a content that may be larger.
class Scroller {
  constructor(root) {
    this.root = root;
    this.content = root.appendChild(document.createElement('div'));
    this.content.className = 'content';
    this.canvas = this.content.appendChild(document.createElement('canvas'));
    this.canvas.setAttribute('aria-hidden', 'true');
    this.pen = this.canvas.getContext('2d');
    root.addEventListener('scroll', () => this.soon());
    new ResizeObserver(() => { this.resized(); this.soon(); }).observe(root);
  }
  soon() {
    if (this.due) return;
    this.due = requestAnimationFrame(() => { this.due = 0; this.draw(); });
  }
  resized() {}
  setContent(width, height) {
    this.content.style.width = Math.ceil(width) + 'px';
    this.content.style.height = Math.ceil(height) + 'px';
  }
  /// Clears the canvas; false when it cannot be seen.
  begin() {
    const ratio = window.devicePixelRatio || 1;
    const w = this.width = this.root.clientWidth, h = this.height = this.root.clientHeight;
    if (!w || !h) return false;
    if (this.canvas.width !== Math.round(w * ratio) || this.canvas.height !== Math.round(h * ratio)) {
      this.canvas.width = Math.round(w * ratio);
      this.canvas.height = Math.round(h * ratio);
      this.canvas.style.width = w + 'px';
      this.canvas.style.height = h + 'px';
    }
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.pen.fillStyle = Theme.panel;
    this.pen.fillRect(0, 0, w, h);
    this.pen.textBaseline = 'middle';
    return true;
  }
  text(words, x, y, color, align = 'left', font = '11px ui-monospace, Menlo, Consolas, monospace') {
    this.pen.font = font;
    this.pen.textAlign = align;
    this.pen.fillStyle = color;
    this.pen.fillText(words, x, y);
  }
}

class Grid extends Scroller {
  constructor(panel, handlers) {
    super(panel.querySelector('.scroller'));
    this.handlers = handlers;
    this.zoomed = null; // cell width and height that the user chose
    this.focus = [];
    const at = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return this.unitAt(event.clientX - box.left, event.clientY - box.top);
    };
    this.root.addEventListener('pointermove', (event) => { if (event.pointerType !== 'touch') handlers.hover(at(event)); });
    this.root.addEventListener('pointerleave', () => handlers.hover(null));
    this.root.addEventListener('click', (event) => { const unit = at(event); if (unit) handlers.pick(unit); });
    this.root.addEventListener('keydown', (event) => this.key(event));
    panel.querySelectorAll('[data-zoom]').forEach((button) =>
      button.addEventListener('click', () => this.zoom(button.dataset.zoom)));
    this.fitButton = panel.querySelector('[data-zoom=fit]');
  }

  key(event) {
    if (event.altKey || event.metaKey) return;
    const far = event.ctrlKey || event.shiftKey ? 8 : 1;
    const moves = {ArrowUp: [-far, 0], ArrowDown: [far, 0], ArrowLeft: [0, -far], ArrowRight: [0, far],
      PageUp: [-16, 0], PageDown: [16, 0], Home: [0, -1e6], End: [0, 1e6]};
    if (moves[event.key]) this.handlers.move(...moves[event.key]);
    else if (event.key === '+' || event.key === '=') this.zoom('in');
    else if (event.key === '-') this.zoom('out');
    else if (event.key === '0') this.zoom('fit');
    else return;
    event.preventDefault();
  }

  /// picture: rows, cols, tones, label(row, col), parts (units of a word), unit names; optional warpOfRow, owners.
  show(picture) {
    this.picture = picture;
    this.marks = {};
    const {rows, cols} = picture;
    this.image = this.paint((unit) => picture.tones[unit] === NONE ? null : [...Theme.tones[picture.tones[unit]], 255]);
    this.runs = this.runsOf((unit) => picture.tones[unit] === NONE ? -1 : picture.tones[unit] < 16 ? picture.tones[unit] >> 2 : picture.tones[unit] % 4);
    this.letters = Math.max(...[[0, 0], [rows - 1, cols - 1], [rows - 1, 0], [0, cols - 1]].map(([r, c]) => picture.label(r, c).length),
      ...(picture.sample || []).map((s) => s.length));
    this.resized();
    this.soon();
  }

  /// Masks over the units: what a step touches, what is outstanding; null for neither.
  mark(touched, waiting) {
    const back = Theme.dark ? [23, 27, 33] : [255, 255, 255];
    this.marks = {
      touched,
      edges: touched && this.edgesOf(touched),
      fade: touched && this.paint((unit) => touched[unit] ? null : [...back, Theme.dark ? 165 : 175]),
      waiting: waiting && this.runsOf((unit) => waiting[unit] ? 0 : -1),
    };
    this.soon();
  }

  /// Units in focus; `reveal` scrolls to the first.
  point(focus, reveal) {
    this.focus = focus;
    if (reveal && focus.length) this.reveal(focus[0]);
    this.soon();
  }

  paint(color) {
    const {rows, cols} = this.picture;
    const sheet = document.createElement('canvas');
    sheet.width = cols; sheet.height = rows;
    const pen = sheet.getContext('2d'), image = pen.createImageData(cols, rows);
    for (let i = 0; i < rows * cols; ++i) { const c = color(i); if (c) image.data.set(c, i * 4); }
    pen.putImageData(image, 0, 0);
    return sheet;
  }
  /// Neighbours in a row of one kind: [row, first column, last + 1, kind].
  runsOf(kind) {
    const {rows, cols} = this.picture, runs = [];
    for (let r = 0; r < rows; ++r)
      for (let c = 0, end; c < cols; c = end) {
        const k = kind(r * cols + c);
        for (end = c + 1; end < cols && kind(r * cols + end) === k; ++end);
        if (k >= 0) runs.push([r, c, end, k]);
      }
    return runs;
  }
  /// Lines between what is in a mask and what is not: [row, column, row, column].
  edgesOf(mask) {
    const {rows, cols} = this.picture, edges = [];
    const in_ = (r, c) => r >= 0 && c >= 0 && r < rows && c < cols && mask[r * cols + c];
    const walk = (lines, places, differs, edge) => {
      for (let a = 0; a <= lines; ++a)
        for (let b = 0; b < places; ++b)
          if (differs(a, b)) { const first = b; while (b + 1 < places && differs(a, b + 1)) ++b; edges.push(edge(a, first, b + 1)); }
    };
    walk(rows, cols, (r, c) => !in_(r - 1, c) !== !in_(r, c), (r, c0, c1) => [r, c0, r, c1]);
    walk(cols, rows, (c, r) => !in_(r, c - 1) !== !in_(r, c), (c, r0, r1) => [r0, c, r1, c]);
    return edges;
  }

  // ---- geometry
  resized() {
    if (!this.picture || !this.root.clientWidth) return;
    const {rows, cols} = this.picture;
    this.left = this.picture.warpOfRow ? 52 : 34;
    this.bands = inLanes(this.picture.owners || []);
    this.top = 20 + 16 * this.bands.length;
    const w = this.root.clientWidth - this.left - 2, h = this.root.clientHeight - this.top - 2;
    const words = this.letters * 6.7 + 8;
    const fit = {cw: Math.min(Math.max(w / cols, 0.4), words + 26), ch: Math.min(Math.max(h / rows, 0.4), 18)};
    const readable = {cw: Math.min(w / cols, words + 26), ch: 17};
    this.readable = w / cols >= words;
    this.fit = fit;
    const size = this.zoomed === 'fit' ? fit : this.zoomed || (this.readable ? readable : fit);
    this.cw = size.cw; this.ch = size.ch;
    this.whole = this.cw <= fit.cw * 1.01 && this.ch <= fit.ch * 1.01; // the button then makes it readable
    this.fitButton.textContent = this.whole ? 'Aa' : 'fit';
    this.setContent(this.left + cols * this.cw + 2, this.top + rows * this.ch + 2);
  }
  zoom(how) {
    const words = this.letters * 6.7 + 8;
    if (how === 'fit') this.zoomed = this.whole ? {cw: Math.max(words, this.fit.cw), ch: 17} : 'fit';
    else {
      const k = how === 'in' ? 1.5 : 1 / 1.5;
      this.zoomed = {cw: Math.min(Math.max(this.cw * k, 0.4), 96), ch: Math.min(Math.max(this.ch * k, 0.4), 24)};
    }
    this.resized();
    if (this.focus.length) this.reveal(this.focus[0]);
    this.soon();
  }
  x(col) { return this.left + col * this.cw - this.root.scrollLeft; }
  y(row) { return this.top + row * this.ch - this.root.scrollTop; }
  unitAt(x, y) {
    if (!this.picture || x < this.left || y < this.top) return null;
    const col = Math.floor((x - this.left + this.root.scrollLeft) / this.cw);
    const row = Math.floor((y - this.top + this.root.scrollTop) / this.ch);
    return row < this.picture.rows && col < this.picture.cols ? [row, col] : null;
  }
  reveal([row, col]) {
    const near = (at, size, from, window) => at < from ? at : at + size > from + window ? at + size - window : from;
    const w = this.root.clientWidth - this.left - 2, h = this.root.clientHeight - this.top - 2;
    this.root.scrollLeft = near(col * this.cw, this.cw, this.root.scrollLeft, w);
    this.root.scrollTop = near(row * this.ch, this.ch, this.root.scrollTop, h);
  }

  // ---- drawing
  draw() {
    if (!this.picture || !this.begin()) return;
    const {rows, cols} = this.picture, pen = this.pen;
    const r0 = Math.max(0, Math.floor(this.root.scrollTop / this.ch)), c0 = Math.max(0, Math.floor(this.root.scrollLeft / this.cw));
    const r1 = Math.min(rows, Math.ceil((this.root.scrollTop + this.height - this.top) / this.ch));
    const c1 = Math.min(cols, Math.ceil((this.root.scrollLeft + this.width - this.left) / this.cw));
    const seen = {r0, r1, c0, c1};
    pen.save();
    pen.beginPath();
    pen.rect(this.left, this.top, this.width, this.height);
    pen.clip();
    pen.imageSmoothingEnabled = false;
    const sheet = (image) => image && c1 > c0 && r1 > r0 &&
      pen.drawImage(image, c0, r0, c1 - c0, r1 - r0, this.x(c0), this.y(r0), (c1 - c0) * this.cw, (r1 - r0) * this.ch);
    const words = this.cw >= this.letters * 6.7 + 4 && this.ch >= 13;
    sheet(this.image);
    if (!words) this.fillRuns(this.runs, Theme.patterns, seen);
    sheet(this.marks.fade);
    if (this.marks.waiting) this.fillRuns(this.marks.waiting, [Theme.hatch], seen);
    this.lines(seen);
    if (words) this.labels(seen);
    this.outline(this.marks.edges);
    this.end();
    this.rings();
    pen.restore();
    this.margins(seen);
  }
  fillRuns(runs, patterns, {r0, r1}) {
    for (const [r, c0, c1, kind] of runs) {
      if (r < r0 || r >= r1) continue;
      this.pen.fillStyle = patterns[kind];
      this.pen.fillRect(this.x(c0), this.y(r), (c1 - c0) * this.cw, this.ch);
    }
  }
  lines({r0, r1, c0, c1}) {
    const pen = this.pen, bottom = Math.min(this.y(this.picture.rows), this.height), right = Math.min(this.x(this.picture.cols), this.width);
    const line = (x0, y0, x1, y1, color) => { pen.strokeStyle = color; pen.beginPath(); pen.moveTo(x0, y0); pen.lineTo(x1, y1); pen.stroke(); };
    const {parts} = this.picture;
    pen.lineWidth = 1;
    for (let c = c0; c <= c1; ++c) {
      const whole = c % parts === 0;
      if (this.cw * (whole ? parts : 1) < 5 && c && c < this.picture.cols) continue;
      const x = Math.round(this.x(c)) + 0.5;
      line(x, this.top, x, bottom, whole && parts > 1 && this.cw >= 14 ? Theme.strong : Theme.line);
    }
    for (let r = r0; r <= r1; ++r) {
      const warp = r % 32 === 0 && this.picture.warpOfRow;
      if (this.ch < 7 && !warp && r && r < this.picture.rows) continue;
      const y = Math.round(this.y(r)) + 0.5;
      line(this.left, y, right, y, warp ? Theme.strong : Theme.line);
    }
  }
  /// Where tensor memory ends.
  end() {
    const {parts, cols} = this.picture, x = Math.round(this.x(COLUMNS_THERE_ARE * parts));
    if (!this.picture.owners || cols <= COLUMNS_THERE_ARE * parts || x < this.left) return;
    this.pen.fillStyle = Theme.bad;
    this.pen.fillRect(x - 1, this.top, 2, this.height);
  }
  labels({r0, r1, c0, c1}) {
    for (let r = r0; r < r1; ++r)
      for (let c = c0; c < c1; ++c)
        if (this.picture.tones[r * this.picture.cols + c] !== NONE)
          this.text(this.picture.label(r, c), this.x(c + 0.5), this.y(r + 0.5) + 0.5, Theme.ink, 'center');
  }
  outline(edges) {
    if (!edges) return;
    this.pen.strokeStyle = Theme.accent;
    this.pen.lineWidth = 2;
    this.pen.beginPath();
    for (const [ra, ca, rb, cb] of edges) {
      const [ya, yb] = [this.y(ra), this.y(rb)];
      if (Math.max(ya, yb) < 0 || Math.min(ya, yb) > this.height) continue;
      this.pen.moveTo(this.x(ca), ya);
      this.pen.lineTo(this.x(cb), yb);
    }
    this.pen.stroke();
  }
  rings() {
    for (const [r, c] of this.focus) {
      const w = Math.max(this.cw - 2, 8), h = Math.max(this.ch - 2, 8); // inside of a large cell, around a small one
      const x = Math.max(this.x(c + 0.5) - w / 2, this.left + 2), y = Math.max(this.y(r + 0.5) - h / 2, this.top + 2);
      if (x > this.width || y > this.height || this.x(c + 1) < this.left || this.y(r + 1) < this.top) continue;
      this.pen.lineWidth = 5; this.pen.strokeStyle = Theme.panel; this.pen.strokeRect(x, y, w, h);
      this.pen.lineWidth = 2.5; this.pen.strokeStyle = Theme.ring; this.pen.strokeRect(x, y, w, h);
    }
  }
  /// Names of rows and columns; those in focus stand out.
  margins({r0, r1, c0, c1}) {
    const pen = this.pen, {parts, warpOfRow} = this.picture;
    const rows = new Set(this.focus.map(([r]) => r)), words = new Set(this.focus.map(([, c]) => Math.floor(c / parts)));
    pen.fillStyle = Theme.panel;
    pen.fillRect(0, 0, this.left, this.height);
    pen.fillRect(0, 0, this.width, this.top);
    const bold = '700 11px ui-monospace, Menlo, Consolas, monospace';
    const step = (size, room) => [1, 2, 4, 8, 16, 32, 64, 128].find((n) => n * size >= room) || 128;
    const every = step(this.ch, 14), across = step(this.cw * parts, 30);
    const rowX = this.left - 5;
    for (let r = r0; r < r1; ++r) {
      const y = this.y(r + 0.5);
      if (y < this.top || (r % every && !rows.has(r))) continue;
      if (!rows.has(r) && [...rows].some((f) => Math.abs(f - r) * this.ch < 13)) continue;
      this.text(String(r), rowX, Math.max(y + 0.5, this.top + 6), rows.has(r) ? Theme.ring : Theme.soft, 'right', rows.has(r) ? bold : undefined);
    }
    for (let word = Math.floor(c0 / parts); word * parts < c1; ++word) {
      const x = this.x((word + 0.5) * parts);
      if (x < this.left || (!words.has(word) && (word % across || x > this.width - 10))) continue;
      if (!words.has(word) && [...words].some((f) => Math.abs(f - word) * this.cw * parts < 28)) continue;
      this.text(String(word), Math.min(Math.max(x, this.left + 5), this.width - 12), this.top - 9, words.has(word) ? Theme.ring : Theme.soft, 'center', words.has(word) ? bold : undefined);
    }
    if (warpOfRow) this.warpBands(r0, r1);
    this.bands.forEach((lane, i) => this.ownerBands(lane, 16 * i));
    pen.fillStyle = Theme.panel;
    pen.fillRect(0, 0, this.left, this.top);
    this.text(this.picture.corner, 4, this.top - 9, Theme.soft, 'left', '10px system-ui, sans-serif');
  }
  warpBands(r0, r1) {
    for (let first = Math.floor(r0 / 32) * 32; first < r1; first += 32) {
      const warp = this.picture.warpOfRow(first);
      const y0 = Math.max(this.y(first), this.top), y1 = Math.min(this.y(first + 32), this.height);
      if (y1 - y0 < 4) continue;
      this.pen.fillStyle = `rgb(${Theme.tones[warp * 4 + 3]})`;
      this.pen.fillRect(2, y0 + 1, 20, y1 - y0 - 2);
      this.pen.fillStyle = Theme.patterns[warp];
      this.pen.fillRect(2, y0 + 1, 20, y1 - y0 - 2);
      if (y1 - y0 >= 14) this.text('w' + warp, 12, (y0 + y1) / 2, Theme.ink, 'center', '600 11px system-ui, sans-serif');
    }
  }
  /// Above the columns: whose they are.
  ownerBands(lane, top) {
    for (const [first, last, name, chosen] of lane) {
      const x0 = Math.max(this.x(first), this.left), x1 = Math.min(this.x(last), this.width);
      if (x1 - x0 < 3) continue;
      this.pen.fillStyle = chosen ? Theme.accent : Theme.strong;
      this.pen.fillRect(x0 + 1, top + 14, x1 - x0 - 2, 2);
      let shown = name;
      while (shown.length > 1 && shown.length * 6.7 > x1 - x0) shown = shown.slice(0, -2) + '…';
      if (x1 - x0 >= 8) this.text(shown, (x0 + x1) / 2, top + 7, chosen ? Theme.ink : Theme.soft, 'center', chosen ? '700 11px ui-monospace, Menlo, monospace' : undefined);
    }
  }
}

/// Bands [first, last, name, chosen] side by side, those that overlap one above the other, four lines at most.
function inLanes(bands) {
  const lanes = [];
  for (const band of bands) {
    const free = lanes.find((lane) => lane.every(([first, last]) => band[0] >= last || band[1] <= first));
    if (free) free.push(band); else if (lanes.length < 4) lanes.push([band]);
  }
  return lanes;
}
