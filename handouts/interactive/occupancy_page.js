// SPDX-License-Identifier: Apache-2.0
// The occupancy calculator: three numbers and a card in, blocks and what limits them out, with a curve for each number.
"use strict";

const KNOBS = ["threads", "registers", "shared"];
const DEFAULTS = {device: "a100", threads: 256, registers: 32, shared: 0};
let settings;

const profile = () => data.profiles[settings.device];

// Bounds of the three numbers on this card. `steps`: from one value to another that much higher occupancy does not
// change but at values that are one more than a multiple of it; a click into a chart goes to multiples of `snap`.
function bounds(name) {
  return {
    threads: {first: 1, last: profile().threads_per_block, steps: WARP, snap: WARP},
    registers: {first: 0, last: 255, steps: 1, snap: 1},
    shared: {first: 0, last: profile().shared_optin, steps: profile().shared_unit, snap: 256},
  }[name];
}

function allowed(name, value) {
  if (name === "device") return value in data.profiles;
  return fitsInput(byId(name), value);
}

function read() {
  byId("shared").max = byId("shared-slider").max = Math.max(...Object.values(data.profiles).map((p) => p.shared_optin));
  settings = readSettings(DEFAULTS, allowed);
  settings.shared = Math.min(settings.shared, profile().shared_optin);
}

function showControls() {
  byId("device").value = settings.device;
  byId("shared").max = byId("shared-slider").max = profile().shared_optin;
  for (const name of KNOBS) {
    // What is being typed is left alone: "3" may become "32".
    if (document.activeElement !== byId(name)) byId(name).value = settings[name];
    byId(`${name}-slider`).value = settings[name];
  }
}

function names(limits) {
  return limits.map((name) => words.resources[name]).join(words.and);
}

function showResult(found) {
  const text = found.blocks === 0 ? fill(words.none, {limits: names(found.limits)}) : fill(words.result, {
    blocks: found.blocks, threads: number(found.threads), most: number(profile().threads),
    occupancy: percent(found.occupancy), limits: names(found.limits)});
  byId("result").textContent = text;
  byId("meter").style.width = `${100 * found.occupancy}%`;
}

function showTable(found) {
  const rows = Object.entries(found.resources).map(([name, each]) => {
    const limits = found.limits.includes(name);
    const row = make("tr", limits ? {class: "limit"} : {},
      make("th", {scope: "row"}, words.resources[name]),
      make("td", {class: "number"}, number(each.taken)), make("td", {class: "number"}, number(each.of)),
      make("td", {class: "number"}, each.blocks === Infinity ? words.unlimited : number(each.blocks)),
      make("td", {}, limits ? words.limit : ""));
    return row;
  });
  byId("resources").replaceChildren(...rows);
  const registers = found.resources.registers, shared = found.resources.shared;
  byId("rounding").textContent = fill(words.rounding, {
    registers: number(settings.registers), exact: number(settings.registers * WARP), unit: profile().register_unit,
    warp: number(registers.warpTakes), partitions: profile().register_partitions, shared: number(settings.shared),
    reserved: number(profile().shared_reserved), shared_unit: profile().shared_unit, taken: number(shared.taken)});
}

// What a little less of each would bring, and how much more of it costs nothing.
function advice(name, found) {
  const {first, last} = bounds(name);
  const step = name === "threads" ? WARP : 1;
  const from = name === "threads" ? {...settings, threads: roundUp(settings.threads, WARP)} : settings;
  const lines = [];
  const better = (other) => other.occupancy > found.occupancy;
  const less = nextValue(profile(), from, name, -step, Math.max(first, name === "threads" ? WARP : first), better);
  const more = name === "threads" ? nextValue(profile(), from, name, step, last, better) : null;
  for (const [change, text] of [[less, words.less[name]], [more, words.more[name]]]) {
    if (change) lines.push(fill(text, {value: number(change.value), blocks: change.blocks, occupancy: percent(change.occupancy)}));
  }
  if (name !== "threads" && found.blocks > 0) {
    const worse = nextValue(profile(), settings, name, 1, last, (other) => other.occupancy < found.occupancy);
    lines.push(worse ? fill(words.free[name], {
      value: number(worse.value - 1), next: number(worse.value), occupancy: percent(worse.occupancy)}) : words.never[name]);
  }
  return lines;
}

function showAdvice(found) {
  const lines = KNOBS.flatMap((name) => advice(name, found));
  if (found.occupancy === 1) lines.unshift(words.full);
  byId("advice").replaceChildren(...lines.map((line) => make("li", {}, line)));
}

// --- Curves --------------------------------------------------------------------------------------------------------

const CHART = {width: 340, height: 210, left: 46, right: 18, top: 14, bottom: 40};

function showChart(name, found) {
  const {first: start, last, steps, snap} = bounds(name);
  const points = curve(profile(), settings, name, start, last, steps);
  const falls = cliffs(points);
  const toX = (x) => CHART.left + (x - start) / (last - start) * (CHART.width - CHART.left - CHART.right);
  const toY = (y) => CHART.top + (1 - y) * (CHART.height - CHART.top - CHART.bottom);
  const parts = [make("title", {id: `chart-${name}-title`}, fill(words.chart[name], {
    value: number(settings[name]), occupancy: percent(found.occupancy)}))];
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    parts.push(make("line", {x1: CHART.left, x2: CHART.width - CHART.right, y1: toY(share), y2: toY(share),
                             class: share === 0 ? "line-axis" : "line-thin"}));
    parts.push(label(CHART.left - 5, toY(share), `${100 * share} %`, "end"));
  }
  for (const x of ticks(start, last, name)) parts.push(label(toX(x), toY(0) + 13, tickText(x, name), "middle"));
  parts.push(label((CHART.left + CHART.width) / 2, CHART.height - 8, words.axis[name], "middle", "text-label"));
  parts.push(make("path", {d: stairs(points, toX, toY), class: "line-curve"}));
  for (const [x, after] of falls) parts.push(make("circle", {cx: toX(x), cy: toY(after), r: 2.6, class: "dot"}));
  const here = settings[name];
  parts.push(make("line", {x1: toX(here), x2: toX(here), y1: toY(1) - 6, y2: toY(0), class: "line-here"}));
  parts.push(make("circle", {cx: toX(here), cy: toY(found.occupancy), r: 5.5, class: "here"}));
  const chart = byId(`chart-${name}`);
  chart.replaceChildren(...parts);
  const list = falls.slice(0, 12).map(([x, after, before]) => `${number(x)} (${percent(before)} → ${percent(after)})`);
  byId(`cliffs-${name}`).textContent = falls.length === 0 ? words.no_cliffs :
    fill(words.cliffs[name], {list: list.join(words.comma) + (falls.length > 12 ? words.comma + "…" : "")});
  chart.onclick = (event) => {
    const box = chart.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * CHART.width;
    const value = start + (x - CHART.left) / (CHART.width - CHART.left - CHART.right) * (last - start);
    change(name, Math.min(Math.max(Math.round(value / snap) * snap, start), last));
  };
}

function label(x, y, text, anchor, kind = "text-tiny") {
  return make("text", {x, y, "text-anchor": anchor, "dominant-baseline": "central", class: kind}, text);
}

function ticks(first, last, name) {
  const step = {threads: 256, registers: 64, shared: last > 128 * 1024 ? 65536 : last > 65536 ? 32768 : 16384}[name];
  const found = [];
  for (let x = 0; x <= last; x += step) if (x >= first) found.push(x);
  return found;
}

const tickText = (x, name) => name === "shared" ? `${x / 1024} KB` : x;

function stairs(points, toX, toY) {
  let path = `M${toX(points[0][0])} ${toY(points[0][1])}`;
  for (let i = 1; i < points.length; ++i) path += `H${toX(points[i][0]).toFixed(1)}V${toY(points[i][1]).toFixed(1)}`;
  return path + `H${CHART.width - CHART.right}`;
}

// --- Together ------------------------------------------------------------------------------------------------------

function show() {
  const found = residency(profile(), settings);
  showControls();
  showResult(found);
  showTable(found);
  showAdvice(found);
  for (const name of KNOBS) showChart(name, found);
}

function change(name, value) {
  if (!allowed(name, value)) return;
  settings[name] = value;
  settings.shared = Math.min(settings.shared, profile().shared_optin);
  writeSettings(settings);
  show();
}

function start() {
  for (const [id, each] of Object.entries(data.profiles)) byId("device").append(make("option", {value: id}, each.name));
  byId("device").addEventListener("change", () => change("device", byId("device").value));
  for (const name of KNOBS) {
    for (const input of [byId(name), byId(`${name}-slider`)]) {
      input.addEventListener("input", () => input.value !== "" && change(name, Number(input.value)));
    }
    byId(name).addEventListener("blur", showControls);
  }
  byId("copy").addEventListener("click", () => copyLink(byId("copied")));
  addEventListener("hashchange", () => { read(); show(); });
  read();
  show();
}

start();
