// SPDX-License-Identifier: Apache-2.0
// The bank explorer: how lanes read in, the passes that it takes out, with the lane that each bank serves in each pass.
"use strict";

const DEFAULTS = {bytes: 4, pattern: "stride", stride: 8, offset: 0, columns: 32, padding: 0, arrangement: "plain", line: 0};
// Which controls belong to which pattern.
const ONLY = {stride: ["stride", "offset"], tile: ["columns", "padding", "arrangement", "line"]};
let settings;

function allowed(name, value) {
  const control = byId(name);
  if (control.tagName === "SELECT") return [...control.options].some((option) => option.value === String(value));
  return fitsInput(control, value);
}

const read = () => { settings = readSettings(DEFAULTS, allowed); };

function showControls() {
  for (const name of Object.keys(DEFAULTS)) {
    if (document.activeElement !== byId(name) || byId(name).tagName === "SELECT") byId(name).value = settings[name];
  }
  const strided = settings.pattern === "stride";
  for (const name of ONLY.stride) byId(name).closest("p").hidden = !strided;
  for (const name of ONLY.tile) byId(name).closest("p").hidden = strided;
}

// "float x[…]", with what lane i reads.
function expression() {
  const type = {1: "char", 2: "short", 4: "float", 8: "double", 16: "float4"}[settings.bytes];
  if (settings.pattern === "stride") {
    const times = settings.stride === 1 ? "lane" : `lane * ${settings.stride}`;
    return `${type} x[];  x[${settings.offset ? `${settings.offset} + ` : ""}${times}]`;
  }
  const column = (text) => ({plain: text, xor: `${text} ^ row`, rotate: `(row + ${text}) % ${settings.columns}`})[settings.arrangement];
  const width = settings.padding ? `${settings.columns} + ${settings.padding}` : settings.columns;
  const [row, col] = settings.pattern === "column" ? ["lane", settings.line] : [settings.line, "lane"];
  return `${type} tile[][${width}];  row = ${row};  tile[row][${column(String(col))}]`;
}

function showResult(addresses, use) {
  byId("expression").textContent = expression();
  const least = use.groups.length;
  const kind = use.degree === 1 ? words.free : words.conflict;
  byId("result").textContent = fill(kind, {degree: use.degree, wavefronts: use.wavefronts, least});
  const used = new Set(use.groups.flatMap((group) => group.banks.flatMap((wanted, bank) => wanted.size ? [bank] : [])));
  const lines = [fill(words.used, {used: used.size})];
  if (use.degree > 1) lines.push(fill(use.busiest.length > 8 ? words.busiest_many : words.busiest, {
    banks: use.busiest.join(", "), count: use.busiest.length, degree: use.degree}));
  if (least > 1) lines.push(fill(words.groups, {lanes: LANES / least, groups: least}));
  if (leavesRow()) lines.push(words.leaves_row);
  byId("why").textContent = lines.join(" ");
}

// XOR of numbers below `columns` stays below it only where that is a power of two.
function leavesRow() {
  return settings.pattern !== "stride" && settings.arrangement === "xor" && (settings.columns & (settings.columns - 1)) !== 0;
}

// --- The picture: passes from top to bottom, banks from left to right ------------------------------------------------

const CELL = {wide: 24, narrow: 34, height: 22, left: 62};

// [{pass, bank -> lanes}] of all groups, one after the other.
function passes(use) {
  const rows = [];
  for (const group of use.groups) {
    for (let pass = 0; pass < group.wavefronts; ++pass) {
      rows.push({first: group.first, lanes: group.banks.map((wanted) => [...wanted.values()][pass] ?? [])});
    }
  }
  return rows;
}

function picture(rows, use, banks, size) {
  const svg = make("svg", {viewBox: `0 0 ${CELL.left + banks.length * size + 4} ${44 + rows.length * CELL.height}`, role: "img",
                           width: CELL.left + banks.length * size + 4});
  svg.append(make("title", {}, fill(words.picture, {first: banks[0], last: banks.at(-1), wavefronts: rows.length})));
  svg.append(text(CELL.left + banks.length * size / 2, 10, words.bank, "text-label"));
  const conflict = use.degree > 1;
  banks.forEach((bank, column) => {
    const hot = conflict && use.busiest.includes(bank);
    svg.append(text(CELL.left + (column + 0.5) * size, 28, bank, hot ? "text-hot" : "text-micro"));
    rows.forEach((row, pass) => {
      const lanes = row.lanes[bank];
      const kind = lanes.length === 0 ? "cell" : hot ? "hot" : "accent";
      const x = CELL.left + column * size, y = 38 + pass * CELL.height;
      svg.append(make("rect", {x, y, width: size, height: CELL.height, class: `box-${kind}`}));
      if (lanes.length) svg.append(text(x + size / 2, y + CELL.height / 2, lanes.length > 1 ? `${lanes.length}×` : lanes[0], "text-micro"));
    });
  });
  rows.forEach((_, pass) => svg.append(text(CELL.left - 6, 38 + (pass + 0.5) * CELL.height,
    fill(words.pass, {pass: pass + 1}), "text-micro", "end")));
  return svg;
}

function text(x, y, content, kind, anchor = "middle") {
  return make("text", {x, y, "text-anchor": anchor, "dominant-baseline": "central", class: kind}, String(content));
}

function showPicture(use) {
  const rows = passes(use);
  const all = [...Array(BANKS).keys()];
  byId("wide").replaceChildren(picture(rows, use, all, CELL.wide));
  const eights = [0, 8, 16, 24].map((first) => all.slice(first, first + 8));
  const asked = eights.filter((banks) => rows.some((row) => banks.some((bank) => row.lanes[bank].length)));
  byId("narrow").replaceChildren(...asked.map((banks) => picture(rows, use, banks, CELL.narrow)));
}

function showTable(addresses) {
  const covered = banksCovered(settings.bytes);
  byId("lanes").replaceChildren(...addresses.map((address, lane) => {
    const first = bankOf(address);
    return make("tr", {}, make("th", {scope: "row"}, String(lane)), make("td", {class: "number"}, number(address)),
      make("td", {class: "number"}, number(Math.floor(address / BANK_BYTES))),
      make("td", {class: "number"}, covered === 1 ? String(first) : `${first}–${first + covered - 1}`));
  }));
}

// --- Together ------------------------------------------------------------------------------------------------------

function show() {
  const addresses = addressesOf(settings);
  const use = useOfBanks(addresses, settings.bytes);
  showControls();
  showResult(addresses, use);
  showPicture(use);
  showTable(addresses);
  for (const link of byId("cases").querySelectorAll("a")) {
    const same = JSON.stringify(link.settings) === JSON.stringify(settings);
    if (same) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
  }
}

function start() {
  for (const each of data.cases) {
    const link = make("a", {href: "#" + new URLSearchParams(each.settings)}, each.name);
    link.settings = {...DEFAULTS, ...each.settings};
    byId("cases").append(make("li", {}, link));
  }
  for (const [name, standard] of Object.entries(DEFAULTS)) {
    byId(name).addEventListener("input", () => {
      const value = typeof standard === "number" ? Number(byId(name).value) : byId(name).value;
      if (byId(name).value === "" || !allowed(name, value)) return;
      settings[name] = value;
      writeSettings(settings);
      show();
    });
    byId(name).addEventListener("blur", showControls);
  }
  byId("copy").addEventListener("click", () => copyLink(byId("copied")));
  addEventListener("hashchange", () => { read(); show(); });
  read();
  show();
}

start();
