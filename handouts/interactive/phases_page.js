// SPDX-License-Identifier: Apache-2.0
// The phases of a tiled product, stepped by the reader: a block's tile on M and on N, with what each thread does, and P.
"use strict";

const DEFAULTS = {width: 3, tile: 2, bx: 0, by: 0, phase: 0, m: "none", n: "none", p: "both"};
const SYMBOLS = {inside: "✓", zero: "0", missing: "–", other: "≠", behind: "!"};
const BOXES = {inside: "accent", zero: "padding", missing: "mark", other: "wrong", behind: "hot"};
let settings;

function allowed(name, value) {
  if (name in {m: 0, n: 0, p: 0}) return value in GUARDS;
  if (name in {width: 0, tile: 0}) return fitsInput(byId(name), value);
  return Number.isInteger(value) && value >= 0 && value < 8;
}

function read() {
  settings = readSettings(DEFAULTS, allowed);
  keepInside();
}

function keepInside() {
  const last = tilesIn(settings.width, settings.tile) - 1;
  for (const name of ["bx", "by", "phase"]) settings[name] = Math.min(settings[name], last);
}

// --- Pictures ------------------------------------------------------------------------------------------------------

const CELL = 40;

function text(x, y, content, kind) {
  return make("text", {x, y, "text-anchor": "middle", "dominant-baseline": "central", class: kind}, String(content));
}

function cell(x, y, kind) {
  return make("rect", {x: 8 + x * CELL, y: 28 + y * CELL, width: CELL, height: CELL, class: `box-${kind}`});
}

// A matrix, and over it the cells of one block's threads.
function picture(name, threads, title) {
  const extent = tilesIn(settings.width, settings.tile) * settings.tile;
  const size = extent * CELL + 16;
  const svg = make("svg", {viewBox: `0 0 ${size} ${size + 20}`, width: size, role: "img", class: "matrix"});
  svg.append(make("title", {}, title), text(8 + settings.width * CELL / 2, 13, name, "text-name"));
  for (let row = 0; row < settings.width; ++row) {
    for (let column = 0; column < settings.width; ++column) svg.append(cell(column, row, "cell"));
  }
  for (const each of threads) {
    svg.append(cell(each.column, each.row, BOXES[each.kind]));
    const x = 8 + (each.column + 0.5) * CELL, y = 28 + each.row * CELL;
    svg.append(text(x, y + 12, `${each.tx},${each.ty}`, "text-micro"), text(x, y + 28, SYMBOLS[each.kind], "text-small"));
  }
  return svg;
}

function outcomePicture(found) {
  const size = settings.width * CELL + 16;
  const wrong = found.right.filter((right) => !right).length;
  const svg = make("svg", {viewBox: `0 0 ${size} ${size + 20}`, width: size, role: "img", class: "matrix"});
  svg.append(make("title", {}, fill(words.p_title, {wrong, all: found.right.length})),
             text(8 + settings.width * CELL / 2, 13, "P", "text-name"));
  found.right.forEach((right, index) => {
    const x = index % settings.width, y = Math.floor(index / settings.width);
    svg.append(cell(x, y, right ? "accent" : "hot"),
               text(8 + (x + 0.5) * CELL, 28 + (y + 0.5) * CELL, right ? "✓" : "✗", "text-small"));
  });
  return svg;
}

// --- Words ---------------------------------------------------------------------------------------------------------

// One sentence for each thread whose access is not as it should be.
function faults(matrix, threads) {
  return threads.filter((each) => !["inside", "zero"].includes(each.kind)).map((each) => {
    const row = Math.floor(each.index / settings.width), column = each.index % settings.width;
    return fill(words.faults[each.kind], {
      tx: each.tx, ty: each.ty, wants: `${matrix}[${each.row}][${each.column}]`, index: each.index,
      gets: `${matrix}[${row}][${column}]`});
  });
}

function showFaults(m, n) {
  const lines = [...faults("M", m), ...faults("N", n)];
  byId("faults").replaceChildren(...(lines.length ? lines : [words.no_faults]).map((line) => make("li", {}, line)));
}

function showOutcome(found) {
  const wrong = found.right.filter((right) => !right).length;
  const bad = (matrix) => Object.entries(found.count[matrix]).filter(([kind]) => !["inside", "zero"].includes(kind))
    .map(([kind, count]) => fill(words.counts[kind], {count: number(count)}));
  const lines = ["M", "N", "P"].filter((matrix) => bad(matrix).length)
    .map((matrix) => fill(words.of_access, {access: words.accesses[matrix], counts: bad(matrix).join(words.comma)}));
  byId("outcome").textContent = wrong === 0 ? (lines.length ? words.lucky : words.right) :
    fill(words.wrong, {wrong, all: found.right.length});
  byId("counts").replaceChildren(...lines.map((line) => make("li", {}, line)));
  byId("p-picture").replaceChildren(outcomePicture(found));
}

// --- Together ------------------------------------------------------------------------------------------------------

function show() {
  for (const name of ["width", "tile", "m", "n", "p"]) {
    if (document.activeElement !== byId(name) || byId(name).tagName === "SELECT") byId(name).value = settings[name];
  }
  const m = accesses("M", settings.m, settings), n = accesses("N", settings.n, settings);
  byId("where").textContent = fill(words.where, {...settings, last: tilesIn(settings.width, settings.tile) - 1});
  byId("m-picture").replaceChildren(picture("M", m, fill(words.tile_title, {...settings, matrix: "M"})));
  byId("n-picture").replaceChildren(picture("N", n, fill(words.tile_title, {...settings, matrix: "N"})));
  showFaults(m, n);
  showOutcome(outcome(settings));
  const all = [...steps(settings)], at = position(all);
  byId("previous").disabled = at === 0;
  byId("next").disabled = at === all.length - 1;
}

function position(all) {
  return all.findIndex((each) => each.bx === settings.bx && each.by === settings.by && each.phase === settings.phase);
}

function change(some) {
  Object.assign(settings, some);
  keepInside();
  writeSettings(settings);
  show();
}

function step(by) {
  const all = [...steps(settings)];
  const next = all[position(all) + by];
  if (next) change(next);
}

function start() {
  for (const name of ["width", "tile", "m", "n", "p"]) {
    byId(name).addEventListener("input", () => {
      const value = byId(name).tagName === "SELECT" ? byId(name).value : Number(byId(name).value);
      if (byId(name).value !== "" && allowed(name, value)) change({[name]: value});
    });
    byId(name).addEventListener("blur", show);
  }
  byId("previous").addEventListener("click", () => step(-1));
  byId("next").addEventListener("click", () => step(1));
  byId("copy").addEventListener("click", () => copyLink(byId("copied")));
  addEventListener("hashchange", () => { read(); show(); });
  read();
  show();
}

start();
