// The charts of a report. `data` has rows as lists: number, values of the axes, measured columns.
'use strict';

// ---- data ----------------------------------------------------------------------------------------------------------
const axes = data.axes.map(a => a.key), columns = data.columns;
const palette = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#cc79a7', '#56b4e9', '#999999', '#b8a800'];
const markers = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down'];
const mostSeries = 12, mostLines = 40;
const metrics = [['iteration_ps', 'iteration time'], ['pst_mean_ps', 'PST, mean'], ['cct_mean_ps', 'CCT, mean'],
  ['cct_p99_ps', 'CCT, p99'], ['slowdown_mean', 'slowdown, mean'], ['accuracy', 'accuracy'],
  ['time_to_accuracy_ps', 'time to the target accuracy'], ['retransmissions', 'transfers sent again'],
  ['wall_time_s', 'wall time, s']].filter(([name]) => hasColumn(name));
const groupAxes = axes.filter(a => a !== 'seed');
const groups = data.groups.map(g => ({axes: g.axes, n: g.rows.length, rows: g.rows, estimates: g.estimates}));

function columnIndex(name) { return columns.indexOf(name); }
function hasColumn(name) {
  const k = columns.indexOf(name) + 1 + axes.length;
  return columns.includes(name) && data.rows.some(r => r[k]);
}
function value(row, name) { return row[1 + axes.length + columnIndex(name)]; }
function mean(group, name) { const e = group.estimates[columnIndex(name)]; return e ? e[0] : null; }
function half(group, name) { const e = group.estimates[columnIndex(name)]; return e && e[1] !== null ? e[1] : 0; }
function groupAxis(group, axis) { return String(group.axes[groupAxes.indexOf(axis)]); }
function groupName(group, without = []) {
  const parts = groupAxes.filter(a => !without.includes(a)).map(a =>
    a === 'policy' ? groupAxis(group, a) : a.replace(/^.*\./, '') + ' ' + groupAxis(group, a));
  return parts.join(', ') || 'row ' + group.rows[0];
}
function numbersOf(axis) { return (data.axes.find(a => a.key === axis) || {}).numbers || null; }
const numericAxes = groupAxes.filter(a => numbersOf(a));
function distinct(list) { return Array.from(new Set(list)); }

// ---- text ----------------------------------------------------------------------------------------------------------
const timeUnits = [['s', 1e12], ['ms', 1e9], ['us', 1e6], ['ns', 1e3], ['ps', 1]];
function timeUnit(most) { return timeUnits.find(u => most >= u[1]) || timeUnits[4]; }
function isTime(name) { return name.endsWith('_ps'); }
function scaled(name, values) {
  const most = Math.max(...values.filter(v => v !== null).map(Math.abs), 0);
  if (!isTime(name)) return {by: 1, unit: ''};
  const [unit, by] = timeUnit(most);
  return {by, unit};
}
function shortNumber(v) {
  if (v === null || v === undefined) return '-';
  return Math.abs(v) >= 1e6 || (v !== 0 && Math.abs(v) < 1e-3) ? v.toPrecision(4) : String(+v.toPrecision(4));
}
function humanTime(ps) { const [unit, by] = timeUnit(Math.abs(ps)); return shortNumber(ps / by) + ' ' + unit; }
function shown(name, v) { return v === null ? '-' : isTime(name) ? humanTime(v) : shortNumber(v); }
function style(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

// ---- the page ------------------------------------------------------------------------------------------------------
const main = document.getElementById('main'), redraws = [];
function element(parent, tag, text, className) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (className) e.className = className;
  parent.appendChild(e);
  return e;
}
function save(name, type, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
function csv(table) {
  const cell = v => { const t = v === null || v === undefined ? '' : String(v); return /[",\n]/.test(t) ? '"' + t.replace(/"/g, '""') + '"' : t; };
  return table.map(line => line.map(cell).join(',')).join('\r\n') + '\r\n';
}
function choice(controls, label, options, change) {
  const box = element(controls, 'label', label + ' ');
  const list = element(box, 'select');
  for (const [name, text] of options) element(list, 'option', text).value = name;
  list.addEventListener('change', change);
  return list;
}

// A chart: `draw(svg, width)` draws and returns the height; `table()` gives its numbers. Both may read the choices.
function chart(id, title, note, build) {
  const section = element(main, 'section');
  section.id = id;
  element(section, 'h2', title);
  if (note) element(section, 'p', note);
  const controls = element(section, 'div', undefined, 'controls'), holder = element(section, 'div');
  const redraw = () => {
    holder.textContent = '';
    const width = Math.max(280, holder.clientWidth);
    const svg = d3.select(holder).append('svg').attr('xmlns', 'http://www.w3.org/2000/svg').attr('width', width)
      .attr('font-family', 'sans-serif').attr('font-size', 12);
    svg.append('rect').attr('width', '100%').attr('height', '100%').attr('fill', style('--card'));
    const height = Math.ceil(drawing.draw(svg, width));
    svg.attr('height', height).attr('viewBox', `0 0 ${width} ${height}`);
  };
  const drawing = build(controls, redraw);
  const save_svg = element(controls, 'button', 'SVG'), save_csv = element(controls, 'button', 'CSV');
  save_svg.addEventListener('click', () => save(id + '.svg', 'image/svg+xml', new XMLSerializer().serializeToString(holder.firstChild)));
  save_csv.addEventListener('click', () => save(id + '.csv', 'text/csv', csv(drawing.table())));
  redraws.push(redraw);
  redraw();
}

function text(svg, x, y, words, anchor = 'start', colour = '--text') {
  return svg.append('text').attr('x', x).attr('y', y).attr('text-anchor', anchor).attr('fill', style(colour)).text(words);
}
// A legend that wraps; returns the height below it.
function legend(svg, names, width, y, shape) {
  let x = 8;
  names.forEach((name, k) => {
    const cut = name.length > 40 ? name.slice(0, 38) + '…' : name, wide = 32 + cut.length * 6.9;
    if (x + wide > width && x > 8) { x = 8; y += 18; }
    if (shape === 'box') svg.append('rect').attr('x', x).attr('y', y - 9).attr('width', 12).attr('height', 10).attr('fill', palette[k % palette.length]);
    else mark(svg, x + 6, y - 4, k);
    text(svg, x + 18, y, cut);
    x += wide;
  });
  return y + 10;
}
function mark(svg, x, y, k) {
  svg.append('path').attr('transform', `translate(${x},${y})`).attr('fill', palette[k % palette.length])
    .attr('d', d3.svg.symbol().type(markers[k % markers.length]).size(40)());
}
function spansDecades(values) { const least = Math.min(...values), most = Math.max(...values); return least > 0 && most / least >= 30; }
function scaleOf(values, range, zero) {
  if (spansDecades(values)) return d3.scale.log().domain([Math.min(...values), Math.max(...values)]).range(range);
  const least = zero ? Math.min(0, ...values) : Math.min(...values), most = Math.max(...values);
  return d3.scale.linear().domain([least, most === least ? least + 1 : most]).range(range).nice();
}
function ticksOf(scale, count) {
  const all = scale.ticks(count);
  if (!scale.base) return all;
  const decades = all.filter(t => Math.abs(Math.log10(t) - Math.round(Math.log10(t))) < 1e-9);
  return decades.length >= 2 ? decades : all.filter((t, k) => k % Math.ceil(all.length / 5) === 0);
}
function yAxis(svg, scale, left, right, title, top) {
  for (const t of ticksOf(scale, 5)) {
    svg.append('line').attr('x1', left).attr('x2', right).attr('y1', scale(t)).attr('y2', scale(t)).attr('stroke', style('--line'));
    text(svg, left - 6, scale(t) + 4, shortNumber(t), 'end', '--soft');
  }
  text(svg, 8, top - 8, title, 'start', '--soft');
}
function xAxis(svg, scale, bottom, title, label, count) {
  for (const t of ticksOf(scale, count)) {
    svg.append('line').attr('x1', scale(t)).attr('x2', scale(t)).attr('y1', bottom).attr('y2', bottom + 4).attr('stroke', style('--soft'));
    text(svg, scale(t), bottom + 17, label(t), 'middle', '--soft');
  }
  const range = scale.range();
  text(svg, (range[0] + range[1]) / 2, bottom + 34, title, 'middle', '--soft');
}
function line(svg, points, k) {
  svg.append('path').attr('fill', 'none').attr('stroke', palette[k % palette.length]).attr('stroke-width', 2)
    .attr('stroke-dasharray', k >= palette.length ? '5,3' : null).attr('d', d3.svg.line()(points));
}
// Values of a numeric axis in the unit that fits: a time, or what it is written in.
function axisUnit(axis) {
  const numbers = numbersOf(axis), texts = Object.keys(numbers);
  if (!texts.some(t => / ?[a-z]*s$/.test(t) && /[0-9]/.test(t) && !/bit/.test(t))) {
    const sizes = texts.some(t => /B$/.test(t)), rates = texts.some(t => /b(it)?\/s$/.test(t));
    const most = Math.max(...Object.values(numbers)), unit = (sizes || rates) && [['T', 1e12], ['G', 1e9], ['M', 1e6], ['k', 1e3]].find(u => most >= u[1]);
    return {by: unit ? unit[1] : 1, unit: (unit ? unit[0] : '') + (sizes ? 'B' : rates ? 'bit/s' : '')};
  }
  const [unit, by] = timeUnit(Math.max(...Object.values(numbers)));
  return {by, unit};
}
function titled(name, unit) { return unit ? name + ', ' + unit : name; }
const metricTitle = name => (metrics.find(m => m[0] === name) || [name, name])[1];

// ---- what was run, and the table ----------------------------------------------------------------------------------------
function head() {
  element(main, 'h1', data.file);
  element(main, 'p', `${data.rows.length} rows; axes: ${axes.map(a => `${a} (${distinct(data.rows.map(r => r[1 + axes.indexOf(a)])).length})`).join(', ') || 'none'}`);
  for (const run of data.runs.slice(0, 8)) element(main, 'p', `${run.name} from ${run.file}, ${run.started}, lightloop ${run.version}`);
  if (data.runs.length > 8) element(main, 'p', `and ${data.runs.length - 8} more runs`);
  for (const warning of data.warnings) element(main, 'p', warning, 'warning');
  for (const one of data.failed.slice(0, 20)) element(main, 'p', `row ${one.row} failed: ${one.error}`, 'warning');
  if (data.failed.length > 20) element(main, 'p', `and ${data.failed.length - 20} more rows failed`, 'warning');
}
function table() {
  const section = element(main, 'section');
  section.id = 'table';
  element(section, 'h2', 'Results');
  const several = groups.some(g => g.n > 1);
  if (several) element(section, 'p', 'Rows that differ in the seed alone are one line: mean, and half of the 95 % confidence interval.');
  const controls = element(section, 'div', undefined, 'controls');
  const lines = [[...groupAxes, 'n', ...metrics.map(m => m[1])]], full = [[...groupAxes, 'n', ...metrics.flatMap(m => [m[0], m[0] + ' half-width'])]];
  for (const g of groups) {
    lines.push([...g.axes, g.n, ...metrics.map(([m]) => shown(m, mean(g, m)) + (half(g, m) ? ' ± ' + shown(m, half(g, m)) : ''))]);
    full.push([...g.axes, g.n, ...metrics.flatMap(([m]) => [mean(g, m), half(g, m) || null])]);
  }
  element(controls, 'button', 'CSV').addEventListener('click', () => save('table.csv', 'text/csv', csv(full)));
  const box = element(element(section, 'div', undefined, 'scroll'), 'table');
  lines.slice(0, mostLines + 1).forEach((cells, k) => {
    const tr = element(box, 'tr');
    for (const cell of cells) element(tr, k === 0 ? 'th' : 'td', cell);
  });
  if (lines.length > mostLines + 1) element(section, 'p', `${lines.length - 1 - mostLines} more lines are in the CSV`);
}

// ---- charts ----------------------------------------------------------------------------------------------------------
// Shares of a whole, one bar a group.
function bars(id, title, note, parts) {
  if (!parts.some(p => hasColumn(p[0]))) return;
  const list = groups.filter(g => parts.some(p => mean(g, p[0]))).slice(0, 24);
  if (list.length === 0) return;
  const times = parts.every(p => isTime(p[0]));
  chart(id, title, note + (groups.length > list.length ? ` The first ${list.length} of ${groups.length}.` : ''), () => ({
    draw(svg, width) {
      const y0 = legend(svg, parts.map(p => p[1]), width, 18, 'box') + 8, left = 8, right = width - 12;
      const sum = g => d3.sum(parts, p => mean(g, p[0]) || 0), most = d3.max(list, sum);
      const unit = times ? timeUnit(most) : ['%', 1], x = d3.scale.linear().domain([0, times ? most / unit[1] : 100]).range([left, right]);
      list.forEach((g, k) => {
        const y = y0 + k * 38, whole = times ? unit[1] : sum(g) / 100;
        text(svg, left, y + 10, groupName(g));
        let at = 0;
        parts.forEach((p, c) => {
          const share = (mean(g, p[0]) || 0) / whole;
          const rect = svg.append('rect').attr('x', x(at)).attr('y', y + 14).attr('height', 14).attr('width', Math.max(0, x(at + share) - x(at))).attr('fill', palette[c]);
          rect.append('title').text(`${p[1]}: ${shortNumber(share)} ${unit[0]}`);
          at += share;
        });
      });
      const bottom = y0 + list.length * 38;
      xAxis(svg, x, bottom, times ? titled('time of a worker', unit[0]) : 'share of all outputs, %', shortNumber, width < 500 ? 4 : 8);
      return bottom + 44;
    },
    table: () => [[...groupAxes, ...parts.map(p => p[0])], ...groups.map(g => [...g.axes, ...parts.map(p => mean(g, p[0]))])]}));
}

// Who is best where: two axes, coloured by the winner of a third.
function heat() {
  const winners = groupAxes.filter(a => distinct(groups.map(g => groupAxis(g, a))).length > 1);
  if (numericAxes.length < 2 || winners.length < 3) return;
  const preferred = names => numericAxes.find(a => names.some(n => a.includes(n)));
  const x0 = preferred(['tuning', 'delta', 'locking']) || numericAxes[0];
  const y0 = numericAxes.find(a => a !== x0 && /slice|size|bytes|model/.test(a)) || numericAxes.find(a => a !== x0);
  chart('winners', 'Who wins where', 'The value with the least mean in each cell; what other axes have is averaged. Thick lines are where the winner changes.', (controls, redraw) => {
    const x = choice(controls, 'across', numericAxes.map(a => [a, a]), redraw), y = choice(controls, 'up', numericAxes.map(a => [a, a]), redraw);
    const who = choice(controls, 'winner of', winners.map(a => [a, a]), redraw), what = choice(controls, 'by', metrics, redraw);
    x.value = x0; y.value = y0; who.value = winners.includes('policy') ? 'policy' : winners[0];
    const cells = () => {
      const sorted = axis => distinct(groups.map(g => groupAxis(g, axis))).sort((a, b) => numbersOf(axis)[a] - numbersOf(axis)[b]);
      const xs = sorted(x.value), ys = sorted(y.value), names = distinct(groups.map(g => groupAxis(g, who.value)));
      const grid = ys.map(yv => xs.map(xv => {
        const means = names.map(n => d3.mean(groups.filter(g => groupAxis(g, x.value) === xv && groupAxis(g, y.value) === yv && groupAxis(g, who.value) === n), g => mean(g, what.value)));
        const known = means.filter(m => m !== undefined && m !== null), best = known.length ? (what.value === 'accuracy' ? Math.max : Math.min)(...known) : null;
        return {means, winner: best === null ? -1 : means.indexOf(best), best};
      }));
      return {xs, ys, names, grid};
    };
    return {
      draw(svg, width) {
        const {xs, ys, names, grid} = cells(), top = legend(svg, names, width, 18, 'box') + 22;
        const left = 12 + 7 * Math.max(...ys.map(v => v.length)), w = (width - left - 8) / xs.length, h = 38;
        text(svg, 8, top - 8, y.value, 'start', '--soft');
        ys.forEach((yv, r) => {
          const yy = top + (ys.length - 1 - r) * h;
          text(svg, left - 6, yy + h / 2 + 4, yv, 'end', '--soft');
          xs.forEach((xv, c) => {
            const cell = grid[r][c];
            if (cell.winner < 0) return;
            svg.append('rect').attr('x', left + c * w).attr('y', yy).attr('width', w).attr('height', h).attr('fill', palette[cell.winner % palette.length]).attr('stroke', style('--card'))
              .append('title').text(names.map((n, k) => `${n}: ${shown(what.value, cell.means[k] === undefined ? null : cell.means[k])}`).join('\n'));
            if (w > 64) text(svg, left + c * w + w / 2, yy + h / 2 + 4, shown(what.value, cell.best), 'middle').attr('fill', '#000');
            const edge = (x1, y1, x2, y2) => svg.append('line').attr('x1', x1).attr('y1', y1).attr('x2', x2).attr('y2', y2).attr('stroke', style('--text')).attr('stroke-width', 3);
            if (c > 0 && grid[r][c - 1].winner !== cell.winner) edge(left + c * w, yy, left + c * w, yy + h);
            if (r > 0 && grid[r - 1][c].winner !== cell.winner) edge(left + c * w, yy + h, left + (c + 1) * w, yy + h);
          });
        });
        const bottom = top + ys.length * h, every = Math.ceil(xs.length * 60 / (width - left));
        xs.forEach((xv, c) => { if (c % every === 0) text(svg, left + c * w + w / 2, bottom + 16, xv, 'middle', '--soft'); });
        text(svg, left + (width - left) / 2, bottom + 34, x.value, 'middle', '--soft');
        return bottom + 44;
      },
      table() {
        const {xs, ys, names, grid} = cells();
        return [[x.value, y.value, 'winner', ...names], ...ys.flatMap((yv, r) => xs.map((xv, c) => [xv, yv, names[grid[r][c].winner], ...grid[r][c].means]))];
      }};
  });
}

// A metric over any numeric axis, one line for each combination of the others.
function lines() {
  if (numericAxes.length === 0 || metrics.length === 0) return;
  const first = numericAxes.find(a => /tuning/.test(a)) || numericAxes[0];
  chart('lines', 'Over an axis', 'Bars are 95 % confidence intervals over seeds.', (controls, redraw) => {
    const x = choice(controls, 'over', numericAxes.map(a => [a, a]), redraw), what = choice(controls, 'of', metrics, redraw);
    x.value = first;
    const series = () => {
      const known = new Map();
      for (const g of groups) {
        if (mean(g, what.value) === null) continue;
        const name = groupName(g, [x.value]).replace(/^row .*/, metricTitle(what.value));
        if (!known.has(name)) known.set(name, []);
        known.get(name).push({x: numbersOf(x.value)[groupAxis(g, x.value)], y: mean(g, what.value), half: half(g, what.value)});
      }
      for (const points of known.values()) points.sort((a, b) => a.x - b.x);
      return Array.from(known);
    };
    return {
      draw(svg, width) {
        const all = series(), some = all.slice(0, mostSeries);
        let top = legend(svg, some.map(s => s[0]), width, 18, 'mark') + 26;
        if (all.length > some.length) { text(svg, 8, top - 12, `the first ${some.length} of ${all.length}`, 'start', '--soft'); top += 18; }
        const height = 280, points = some.flatMap(s => s[1]), unit = scaled(what.value, points.map(p => p.y)), xUnit = axisUnit(x.value);
        const xs = scaleOf(points.map(p => p.x / xUnit.by), [64, width - 16]), ys = scaleOf(points.map(p => p.y / unit.by), [top + height, top], true);
        yAxis(svg, ys, 64, width - 16, titled(metricTitle(what.value), unit.unit), top);
        xAxis(svg, xs, top + height, titled(x.value, xUnit.unit), shortNumber, width < 500 ? 4 : 8);
        some.forEach(([, list], k) => {
          const at = p => [xs(p.x / xUnit.by), ys(p.y / unit.by)];
          line(svg, list.map(at), k);
          for (const p of list) {
            const [px, py] = at(p), least = ys.base ? Math.max(ys.domain()[0], (p.y - p.half) / unit.by) : (p.y - p.half) / unit.by;
            if (p.half) svg.append('line').attr('x1', px).attr('x2', px).attr('y1', ys(least)).attr('y2', ys((p.y + p.half) / unit.by)).attr('stroke', palette[k % palette.length]);
            mark(svg, px, py, k);
          }
        });
        return top + height + 44;
      },
      table: () => [['series', x.value, what.value, 'half-width'], ...series().flatMap(([name, list]) => list.map(p => [name, p.x, p.y, p.half || null]))]};
  });
}

// How rows are distributed, one line for each value of an axis.
function distribution() {
  if (data.rows.length < 4 || metrics.length === 0 || groupAxes.length === 0) return;
  chart('distribution', 'Distribution over rows', 'Share of rows up to a value; p50, p95 and p99 are marked.', (controls, redraw) => {
    const what = choice(controls, 'of', metrics, redraw), by = choice(controls, 'by', groupAxes.map(a => [a, a]), redraw);
    if (groupAxes.includes('policy')) by.value = 'policy';
    const series = () => {
      const column = 1 + axes.indexOf(by.value);
      return distinct(data.rows.map(r => String(r[column]))).map(name =>
        [name, data.rows.filter(r => String(r[column]) === name).map(r => value(r, what.value)).filter(v => v !== null).sort((a, b) => a - b)]).filter(s => s[1].length);
    };
    const rank = (list, p) => list[Math.ceil(list.length * p) - 1];
    return {
      draw(svg, width) {
        const all = series(), some = all.slice(0, mostSeries), top = legend(svg, some.map(s => s[0]), width, 18, 'mark') + 26, height = 260;
        const values = some.flatMap(s => s[1]), unit = scaled(what.value, values);
        const xs = scaleOf(values.map(v => v / unit.by), [64, width - 16]), ys = d3.scale.linear().domain([0, 100]).range([top + height, top]);
        yAxis(svg, ys, 64, width - 16, 'share of rows, %', top);
        xAxis(svg, xs, top + height, titled(metricTitle(what.value), unit.unit), shortNumber, width < 500 ? 4 : 8);
        some.forEach(([, list], k) => {
          const points = [];
          list.forEach((v, n) => points.push([xs(v / unit.by), ys(n / list.length * 100)], [xs(v / unit.by), ys((n + 1) / list.length * 100)]));
          line(svg, points, k);
          for (const p of [0.5, 0.95, 0.99]) mark(svg, xs(rank(list, p) / unit.by), ys(p * 100), k);
        });
        return top + height + 44;
      },
      table: () => [[by.value, 'rows', 'p50', 'p95', 'p99'], ...series().map(([name, list]) => [name, list.length, rank(list, 0.5), rank(list, 0.95), rank(list, 0.99)])]};
  });
}

// Accuracy over virtual time or over updates, one line a row.
function learning() {
  const rows = data.rows.filter(r => data.curves[r[0]]);
  if (rows.length === 0) return;
  chart('learning', 'What was learned', rows.length > mostSeries ? `The first ${mostSeries} of ${rows.length} rows.` : '', (controls, redraw) => {
    const over = choice(controls, 'over', [['time', 'time'], ['updates', 'updates']], redraw);
    const name = r => axes.map((a, k) => a === 'policy' ? r[1 + k] : a.replace(/^.*\./, '') + ' ' + r[1 + k]).join(', ') || 'row ' + r[0];
    return {
      draw(svg, width) {
        const some = rows.slice(0, mostSeries), top = legend(svg, some.map(name), width, 18, 'mark') + 26, height = 260;
        const column = over.value === 'time' ? 1 : 0, points = some.flatMap(r => data.curves[r[0]]);
        const [unit, by] = column ? timeUnit(d3.max(points, p => p[1])) : ['', 1];
        const xs = d3.scale.linear().domain([0, d3.max(points, p => p[column] / by)]).range([64, width - 16]);
        const ys = d3.scale.linear().domain([0, 100]).range([top + height, top]);
        yAxis(svg, ys, 64, width - 16, 'accuracy, %', top);
        xAxis(svg, xs, top + height, titled(column ? 'virtual time' : 'updates', unit), shortNumber, width < 500 ? 4 : 8);
        some.forEach((r, k) => {
          const list = data.curves[r[0]].map(p => [xs(p[column] / by), ys(p[2] * 100)]);
          line(svg, list, k);
          mark(svg, list[list.length - 1][0], list[list.length - 1][1], k);
        });
        return top + height + 44;
      },
      table: () => [['row', 'updates', 'at_ps', 'accuracy'], ...rows.flatMap(r => data.curves[r[0]].map(p => [r[0], ...p]))]};
  });
}

function details() {
  for (const detail of data.details) {
    const section = element(main, 'section');
    element(section, 'h2', detail.title);
    if (detail.svg) {
      const controls = element(section, 'div', undefined, 'controls');
      element(controls, 'button', 'SVG').addEventListener('click', () => save(detail.title.replace(/\W+/g, '-') + '.svg', 'image/svg+xml', detail.svg));
      element(section, 'div', undefined, 'drawn').appendChild(document.importNode(new DOMParser().parseFromString(detail.svg, 'image/svg+xml').documentElement, true));
    }
    element(section, 'pre', detail.text);
  }
}

head();
table();
bars('time', 'Where the time of workers goes', 'Means over the workers of a row, from its beginning to its end. Exposed communication: a worker sends or receives and does not compute. Dark: its circuit is being set up.', [['node_compute_ps', 'compute'], ['node_communication_ps', 'exposed communication'], ['node_dark_ps', 'dark'], ['node_waiting_ps', 'waiting']]);
heat();
lines();
distribution();
bars('ports', 'What outputs did', 'All outputs of the switch together.', [['port_up_cycles', 'up'], ['port_tuning_cycles', 'tuning'], ['port_locking_cycles', 'locking'], ['port_held_cycles', 'held or failed'], ['port_idle_cycles', 'idle']]);
learning();
details();

let resized = 0;
addEventListener('resize', () => { clearTimeout(resized); resized = setTimeout(() => redraws.forEach(r => r()), 150); });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redraws.forEach(r => r()));
