// Columns over the program: time goes down, a row for each step; across lie the columns of tensor memory. A bar is an
// alias group from its first access to the wait behind its last, with the name of every buffer in it over its own
// columns; the columns that a step touches are dark in its row. The allocation's edge and the end of tensor memory
// are lines, and what lies beyond the end is hatched.
'use strict';

class MapChart extends Scroller {
  constructor(panel, handlers) {
    super(panel.querySelector('.scroller'));
    this.handlers = handlers;
    this.all = false; // the whole of tensor memory, not the allocation alone
    const rowAt = (event) => Math.floor((event.clientY - this.canvas.getBoundingClientRect().top - this.top + this.root.scrollTop) / this.height1);
    this.root.addEventListener('click', (event) => { const row = rowAt(event); if (row >= 0 && row < this.kernel.steps.length) handlers.step(row); });
    this.root.addEventListener('keydown', (event) => {
      const go = {ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -1e9, End: 1e9}[event.key];
      if (!go) return;
      event.preventDefault();
      handlers.step(Math.min(Math.max(this.at + go, 0), this.kernel.steps.length - 1));
    });
    panel.querySelector('[data-all]').addEventListener('click', (event) => {
      this.all = !this.all;
      event.target.setAttribute('aria-pressed', this.all);
      this.soon();
    });
  }

  show(kernel) {
    this.kernel = kernel;
    this.at = 0;
    // Lives in steps, and lanes side by side: names in one group take a line each.
    this.bars = kernel.groups.map((group, g) => {
      const life = group.life || [0, kernel.stepOf.length - 1];
      const names = kernel.tmems.map((buffer, index) => ({buffer, index})).filter(({buffer}) => buffer.group === g && buffer.argument === undefined);
      return {group, g, used: !!group.life, first: kernel.stepOf[life[0]], last: kernel.stepOf[Math.min(life[1], kernel.stepOf.length - 1)], names};
    });
    this.resized();
    this.soon();
  }
  point(at) {
    this.at = at;
    const y = at * this.height1, h = this.root.clientHeight - this.top;
    if (y < this.root.scrollTop) this.root.scrollTop = y;
    else if (y + this.height1 > this.root.scrollTop + h) this.root.scrollTop = y + this.height1 - h;
    this.soon();
  }

  resized() {
    if (!this.kernel || !this.root.clientWidth) return;
    this.top = 40;
    this.left = this.root.clientWidth > 440 ? Math.min(Math.round(this.root.clientWidth * 0.38), 250) : 56;
    const rows = Math.max(this.kernel.steps.length, 1);
    this.height1 = Math.min(Math.max((this.root.clientHeight - this.top - 12) / rows, 20), 34);
    this.setContent(this.root.clientWidth, this.top + rows * this.height1 + 8);
  }
  y(step) { return this.top + step * this.height1 - this.root.scrollTop; }
  x(column) { return this.left + column * (this.width - this.left - 14) / this.span; }

  draw() {
    if (!this.kernel || !this.begin()) return;
    this.span = this.all ? Math.max(COLUMNS_THERE_ARE, this.kernel.limit) : Math.max(this.kernel.limit, 32);
    const {steps} = this.kernel, pen = this.pen;
    const s0 = Math.max(0, Math.floor(this.root.scrollTop / this.height1));
    const s1 = Math.min(steps.length, Math.ceil((this.root.scrollTop + this.height - this.top) / this.height1));
    pen.fillStyle = Theme.line; // the step that is shown
    pen.fillRect(0, this.y(this.at), this.width, this.height1);
    for (const bar of this.bars) if (bar.last >= s0 - 1 && bar.first <= s1) this.bar(bar);
    for (let s = s0; s < s1; ++s) this.touched(s);
    for (const bar of this.bars) if (bar.last >= s0 - 1 && bar.first <= s1) this.names(bar);
    this.edges();
    for (let s = s0; s < s1; ++s) this.statement(s);
    this.ruler();
  }
  box({group, first, last}) {
    return [this.x(group.column), this.y(first) + 2, this.x(group.column + group.columns) - this.x(group.column),
      this.y(Math.min(last + 1, this.kernel.steps.length)) - this.y(first) - 4];
  }
  bar(bar) {
    const pen = this.pen, [x, y, w, h] = this.box(bar);
    pen.fillStyle = `rgb(${Theme.tones[16 + bar.g % 8]})`;
    pen.beginPath();
    pen.roundRect(x + 0.5, y, Math.max(w - 1, 2), h, 5);
    pen.fill();
    pen.fillStyle = Theme.patterns[bar.g % 4];
    pen.fill();
    pen.strokeStyle = bar.used ? Theme.strong : Theme.soft;
    pen.lineWidth = 1;
    pen.setLineDash(bar.used ? [] : [4, 3]);
    pen.stroke();
    pen.setLineDash([]);
    const over = bar.group.column + bar.group.columns - COLUMNS_THERE_ARE;
    if (over > 0) {
      const from = this.x(Math.max(bar.group.column, COLUMNS_THERE_ARE));
      pen.strokeStyle = pen.fillStyle = Theme.bad;
      pen.lineWidth = 2;
      pen.strokeRect(from, y, x + w - from - 1, h);
      pen.globalAlpha = 0.25;
      pen.fillRect(from, y, x + w - from - 1, h);
      pen.globalAlpha = 1;
    }
  }
  /// Each name over its own columns, one below the other; an alias has a line under it.
  names(bar) {
    const pen = this.pen, [, y, , h] = this.box(bar);
    const top = Math.max(y, this.top + 2), room = Math.floor((y + h - top) / 15);
    const seen = new Map();
    for (const {buffer, index} of bar.names) seen.set(`${buffer.name} ${buffer.column} ${this.kernel.cells[buffer.image].words}`, {buffer, index});
    [...seen.values()].slice(0, Math.max(room, 1)).forEach(({buffer}, i) => {
      const words = this.kernel.cells[buffer.image].words, x0 = this.x(buffer.column), x1 = this.x(buffer.column + words);
      let name = i ? '= ' + buffer.name : buffer.name;
      while (name.length > 1 && name.length * 7 > x1 - x0 - 4) name = name.slice(0, -2) + '…';
      const line = top + 9 + i * 15;
      const room = name.length * 7 + 8;
      pen.fillStyle = `rgb(${Theme.tones[16 + bar.g % 8]})`;
      pen.fillRect(x0 + 1, line - 8, Math.min(room, x1 - x0 - 2), 16);
      this.text(name, x0 + 6, line, Theme.ink, 'left', '600 12px ui-monospace, Menlo, Consolas, monospace');
      if (i) {
        pen.strokeStyle = Theme.ink;
        pen.setLineDash([2, 2]);
        pen.beginPath(); pen.moveTo(x0 + 3, line + 7.5); pen.lineTo(x1 - 3, line + 7.5); pen.stroke();
        pen.setLineDash([]);
      }
    });
  }
  touched(s) {
    const step = this.kernel.steps[s];
    if (!step.tmem) return;
    const runs = this.handlers.columns(step), h = Math.max(4, this.height1 - 12);
    this.pen.fillStyle = step.done > this.at && s <= this.at ? Theme.wait : Theme.accent;
    this.pen.globalAlpha = s === this.at ? 1 : 0.55;
    for (const [c0, c1] of runs)
      this.pen.fillRect(this.x(c0) + 1.5, this.y(s) + (this.height1 - h) / 2, Math.max(this.x(c1) - this.x(c0) - 3, 2), h);
    this.pen.globalAlpha = 1;
    const [c0, c1] = runs[0], x = (this.x(c0) + this.x(runs[runs.length - 1][1] ?? c1)) / 2;
    const named = this.bars.some((bar) => bar.first === s); // there a name stands
    if (this.x(c1) - this.x(c0) > (named ? 120 : 34))
      this.text(step.do === 'st' ? 'store' : 'load', x, this.y(s + 0.5) + 0.5, Theme.panel, 'center', '600 10px system-ui, sans-serif');
  }
  edges() {
    const pen = this.pen, {allocated, needed} = this.kernel;
    const line = (column, color, dash) => {
      const x = Math.round(this.x(column)) + 0.5;
      pen.strokeStyle = color; pen.lineWidth = 1.5; pen.setLineDash(dash);
      pen.beginPath(); pen.moveTo(x, this.top - 4); pen.lineTo(x, this.height); pen.stroke();
      pen.setLineDash([]);
    };
    if (allocated && allocated <= COLUMNS_THERE_ARE) line(allocated, Theme.ink, [5, 3]);
    if (needed > COLUMNS_THERE_ARE || this.all) line(COLUMNS_THERE_ARE, Theme.bad, []);
  }
  statement(s) {
    const step = this.kernel.steps[s], y = this.y(s + 0.5), pen = this.pen;
    pen.fillStyle = s === this.at ? Theme.line : Theme.panel;
    pen.fillRect(0, this.y(s), this.left - 8, this.height1);
    if (s === this.at) { pen.fillStyle = Theme.accent; pen.fillRect(0, this.y(s), 3, this.height1); }
    const color = step.refused ? Theme.bad : s === this.at ? Theme.ink : Theme.soft;
    this.text(String(step.line), 36, y, color, 'right');
    if (this.left < 100) { this.text(step.refused ? '✖' : '', 52, y, color, 'right'); return; }
    let text = (step.refused ? '✖ ' : '') + step.text.replace(/;$/, '');
    const most = Math.floor((this.left - 56) / 6.7);
    if (text.length > most) text = text.slice(0, most - 1) + '…';
    this.text(text, 44, y, color);
  }
  ruler() {
    const pen = this.pen, {allocated, needed} = this.kernel;
    pen.fillStyle = Theme.panel;
    pen.fillRect(0, 0, this.width, this.top - 4);
    const every = [1, 2, 4, 8, 16, 32, 64, 128].find((n) => this.x(n) - this.x(0) >= 34) || 128;
    for (let c = 0; c <= this.span; c += every) this.text(String(c), this.x(c), this.top - 12, Theme.soft, 'center');
    this.text(this.left > 100 ? 'line, statement' : 'line', 12, this.top - 12, Theme.soft, 'left', '10px system-ui, sans-serif');
    const note = (column, words, color) => {
      const right = this.x(column) > this.width - 110;
      this.text(words, this.x(column) + (right ? 6 : -6) * (right ? -1 : 0), 11, color, right ? 'right' : this.x(column) - this.left < 60 ? 'left' : 'center', '600 11px system-ui, sans-serif');
    };
    if (needed > COLUMNS_THERE_ARE) note(COLUMNS_THERE_ARE, 'end of tensor memory: 512', Theme.bad);
    else if (allocated) note(allocated, `allocated: ${allocated}`, Theme.ink);
    if (this.all && allocated < 400) note(COLUMNS_THERE_ARE, '512', Theme.soft);
  }
}
