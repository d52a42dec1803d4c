// SPDX-License-Identifier: Apache-2.0
// Draws one request as it happened: 32 lanes above the banks of shared memory or the sectors of global memory that
// they touched. Colours and widths are profile_page.css's.
"use strict";

const SVG = "http://www.w3.org/2000/svg";

/** An element of a drawing, or of the page where the name says so. */
function drawn(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function made(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("aria-")) element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children);
  return element;
}

const AccessPicture = (() => {
  const CELL = 19, GAP = 2, LEFT = 54, LANE_TOP = 16, WIRES = 62;
  const WIDTH = LEFT + 32 * (CELL + GAP) + 6;
  const xOf = (column) => LEFT + column * (CELL + GAP);
  const passClass = (pass) => (pass < 2 ? "" : pass < 4 ? "p2" : pass < 9 ? "p3" : "p4");

  /** [{lane, offset, out}] of the lanes that take part. */
  function lanesOf(sample) {
    const lanes = [];
    for (let lane = 0; lane < 32; ++lane) {
      if ((sample.lanes >>> lane) & 1) {
        const offset = sample.offsets[lanes.length];
        const out = sample.object_bytes > 0 && (offset < 0 || offset + sample.bytes > sample.object_bytes);
        lanes.push({ lane, offset, out });
      }
    }
    return lanes;
  }

  /** The lanes that are served together: all, a half or a quarter of the warp, by the width of the access. */
  function groupsOf(sample, lanes) {
    const at_once = 32 / Math.max(1, sample.bytes / 4);
    const groups = [];
    for (let first = 0; first < 32; first += at_once) {
      const part = lanes.filter((each) => !each.out && each.lane >= first && each.lane < first + at_once);
      if (part.length > 0) groups.push(part);
    }
    return groups;
  }

  /** [{bank, pass, word, lanes}]: which word each bank serves in which pass, and for whom. */
  function passesOf(sample, lanes) {
    const cells = [];
    let before = 0;
    for (const group of groupsOf(sample, lanes)) {
      const banks = Array.from({ length: 32 }, () => []);
      for (const each of group) {
        for (let k = 0; k < Math.max(1, sample.bytes / 4); ++k) {
          const word = Math.floor((sample.start + each.offset) / 4) + k;
          const bank = banks[((word % 32) + 32) % 32];
          let cell = bank.find((known) => known.word === word);
          if (!cell) bank.push((cell = { bank: ((word % 32) + 32) % 32, word, pass: before + bank.length, turn: bank.length, lanes: [] }));
          cell.lanes.push(each.lane);
        }
      }
      cells.push(...banks.flat());
      before += Math.max(1, ...banks.map((bank) => bank.length));
    }
    return { cells, passes: Math.max(1, before) };
  }

  function title(lanes) {
    return lanes.length > 3 ? `${lanes.length}×` : lanes.length > 1 ? `${lanes[0]}+` : `${lanes[0]}`;
  }

  function drawLanes(svg, sample, lanes) {
    const taking = new Map(lanes.map((each) => [each.lane, each]));
    svg.append(drawn("text", { x: LEFT - 6, y: LANE_TOP + CELL / 2, class: "axis end" }, say("lane")));
    for (let lane = 0; lane < 32; ++lane) {
      const each = taking.get(lane);
      const box = drawn("rect", { x: xOf(lane), y: LANE_TOP, width: CELL, height: CELL, rx: 3, class: each ? "lane" : "lane off", "data-lane": lane });
      svg.append(box);
      if (each) svg.append(drawn("text", { x: xOf(lane) + CELL / 2, y: LANE_TOP + CELL / 2, "data-lane": lane }, lane));
    }
  }

  function wire(svg, lane, x, y, kind) {
    const from = xOf(lane) + CELL / 2, top = LANE_TOP + CELL, middle = (top + y) / 2;
    // Below the cells, whichever is drawn first.
    svg.prepend(drawn("path", { d: `M${from} ${top}C${from} ${middle} ${x} ${middle} ${x} ${y}`, class: `wire ${kind}`, "data-lane": lane }));
  }

  function drawBanks(svg, sample, lanes) {
    const { cells, passes } = passesOf(sample, lanes);
    const shown = Math.min(passes, 32), top = LANE_TOP + CELL + WIRES;
    svg.append(drawn("text", { x: LEFT - 6, y: top - 8, class: "axis end" }, say("bank")));
    for (let bank = 0; bank < 32; ++bank) {
      svg.append(drawn("text", { x: xOf(bank) + CELL / 2, y: top - 8, class: "axis" }, bank));
    }
    for (let pass = 0; pass < shown; ++pass) {
      svg.append(drawn("text", { x: LEFT - 6, y: top + pass * (CELL + GAP) + CELL / 2, class: "axis end" }, say("pass {n}", { n: pass + 1 })));
      for (let bank = 0; bank < 32; ++bank) {
        svg.append(drawn("rect", { x: xOf(bank), y: top + pass * (CELL + GAP), width: CELL, height: CELL, rx: 3, class: "slot" }));
      }
    }
    for (const cell of cells) {
      if (cell.pass >= shown) continue;
      const kind = passClass(cell.turn + 1), y = top + cell.pass * (CELL + GAP);
      for (const lane of cell.lanes) wire(svg, lane, xOf(cell.bank) + CELL / 2, y, kind);
      svg.append(drawn("rect", { x: xOf(cell.bank), y, width: CELL, height: CELL, rx: 3, class: `hit ${kind}`, "data-lanes": cell.lanes.join(" ") }));
      svg.append(drawn("text", { x: xOf(cell.bank) + CELL / 2, y: y + CELL / 2, class: "on" }, title(cell.lanes)));
    }
    return top + shown * (CELL + GAP) + 6;
  }

  function drawSectors(svg, sample, lanes) {
    // A row is a 128-byte line of four sectors; lines that nobody touched are left out.
    const lines = new Map();
    for (const each of lanes) {
      const first = sample.start + each.offset;
      for (let byte = first; byte < first + sample.bytes; byte += 4) {
        const line = Math.floor(byte / 128), word = Math.floor((byte - 128 * line) / 4);
        if (!lines.has(line)) lines.set(line, new Map());
        const words = lines.get(line);
        if (!words.has(word)) words.set(word, { lanes: [], out: false });
        words.get(word).lanes.push(each.lane);
        words.get(word).out = words.get(word).out || each.out;
      }
    }
    const top = LANE_TOP + CELL + WIRES;
    const ordered = [...lines.keys()].sort((a, b) => a - b);
    svg.append(drawn("text", { x: LEFT - 6, y: top - 8, class: "axis end" }, say("byte")));
    for (let sector = 0; sector < 4; ++sector) {
      svg.append(drawn("text", { x: xOf(8 * sector) + 4 * (CELL + GAP), y: top - 8, class: "axis" }, say("sector +{n}", { n: 32 * sector })));
    }
    ordered.forEach((line, row) => {
      const y = top + row * (CELL + GAP + 3), words = lines.get(line);
      svg.append(drawn("text", { x: LEFT - 6, y: y + CELL / 2, class: "axis end" }, (128 * line - sample.start).toLocaleString("en")));
      for (let sector = 0; sector < 4; ++sector) {
        const touched = [...words.entries()].some(([word, cell]) => Math.floor(word / 8) === sector && !cell.out);
        for (let word = 8 * sector; word < 8 * sector + 8; ++word) {
          const cell = words.get(word);
          const kind = cell ? (cell.out ? "hit out" : "hit") : touched ? "byte" : "slot";
          if (cell) for (const lane of cell.lanes) wire(svg, lane, xOf(word) + CELL / 2, y, cell.out ? "out" : "");
          svg.append(drawn("rect", { x: xOf(word), y, width: CELL, height: CELL, rx: 3, class: kind, ...(cell ? { "data-lanes": cell.lanes.join(" ") } : {}) }));
          if (cell) svg.append(drawn("text", { x: xOf(word) + CELL / 2, y: y + CELL / 2, class: "on" }, title(cell.lanes)));
        }
        if (touched) {
          svg.append(drawn("rect", { x: xOf(8 * sector) - 1, y: y - 1, width: 8 * (CELL + GAP), height: CELL + 2, rx: 4, class: "sector" }));
        }
      }
    });
    return top + ordered.length * (CELL + GAP + 3) + 6;
  }

  /** A pointer on a lane, or on what it touched, takes everything else back. */
  function follow(svg) {
    const parts = [...svg.querySelectorAll("[data-lane], [data-lanes]")];
    const lanesOfPart = (part) => (part.dataset.lane ?? part.dataset.lanes).split(" ");
    svg.addEventListener("pointerover", (event) => {
      const under = event.target.closest("[data-lane], [data-lanes]");
      if (!under) return;
      const chosen = lanesOfPart(under);
      for (const part of parts) part.classList.toggle("dim", !lanesOfPart(part).some((lane) => chosen.includes(lane)));
    });
    svg.addEventListener("pointerleave", () => parts.forEach((part) => part.classList.remove("dim")));
  }

  function picture(sample) {
    const lanes = lanesOf(sample), shared = sample.space === "shared";
    const svg = drawn("svg", { class: "acc", role: "img", "aria-label": words(sample).join(say(" ")) });
    drawLanes(svg, sample, lanes);
    const height = shared ? drawBanks(svg, sample, lanes) : drawSectors(svg, sample, lanes);
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
    follow(svg);
    return svg;
  }

  /** Of one lane and of several, each with the object that they touch and without. */
  const TOUCHED = {
    read: ["{n} lane reads {bytes} bytes of {object}.", "{n} lanes read {bytes} bytes each of {object}.",
           "{n} lane reads {bytes} bytes.", "{n} lanes read {bytes} bytes each."],
    write: ["{n} lane writes {bytes} bytes of {object}.", "{n} lanes write {bytes} bytes each of {object}.",
            "{n} lane writes {bytes} bytes.", "{n} lanes write {bytes} bytes each."],
    atomic: ["{n} lane updates {bytes} bytes of {object}.", "{n} lanes update {bytes} bytes each of {object}.",
             "{n} lane updates {bytes} bytes.", "{n} lanes update {bytes} bytes each."],
  };

  /** The request in sentences. */
  function words(sample) {
    const lanes = lanesOf(sample), outside = lanes.filter((each) => each.out).length, inside = lanes.length - outside;
    const texts = TOUCHED[sample.access];
    const said = [say(texts[(sample.object ? 0 : 2) + (lanes.length === 1 ? 0 : 1)], { n: lanes.length, bytes: sample.bytes, object: sample.object })];
    if (outside > 0) said.push(counted(outside, "{n} lane of them misses it: held back.", "{n} lanes of them miss it: held back."));
    if (sample.space === "shared") {
      const passes = sample.wavefronts;
      said.push(sample.conflicts > 0
        ? say("{passes} passes: {conflicts}.", { passes, conflicts: counted(sample.conflicts, "{n} bank conflict", "{n} bank conflicts") })
        : passes === 1 ? say("One pass: no bank conflict.") : say("{passes} passes, which this width needs at best: no bank conflict.", { passes }));
    } else if (inside > 0) {
      const asked = new Set(lanes.filter((each) => !each.out).map((each) => each.offset)).size * sample.bytes;
      const moved = 32 * sample.sectors;
      said.push(say("{sectors}, {moved} bytes, for {asked} different bytes: {share} % of what moves is used.",
                    { sectors: counted(sample.sectors, "{n} sector", "{n} sectors"), moved, asked, share: Math.round((100 * asked) / moved) }));
    }
    if (sample.passes > 1) said.push(say("Lanes at one address take turns: {n} passes.", { n: sample.passes }));
    return said;
  }

  function table(sample) {
    const shared = sample.space === "shared";
    const body = made("tbody");
    for (const each of lanesOf(sample)) {
      const at = sample.start + each.offset;
      body.append(made("tr", {}, made("th", { scope: "row", textContent: each.lane }), made("td", { className: "number", textContent: each.offset.toLocaleString("en") }),
        made("td", { className: "number", textContent: (each.offset / sample.bytes).toLocaleString("en") }),
        made("td", { className: "number", textContent: each.out ? say("outside") : shared ? ((Math.floor(at / 4) % 32) + 32) % 32 : Math.floor(at / 32) })));
    }
    const heads = ["Lane", "Byte", "Element", shared ? "Bank" : "Sector"].map((text, place) => made("th", { scope: "col", className: place ? "number" : "", textContent: say(text) }));
    return made("table", {}, made("thead", {}, made("tr", {}, ...heads)), body);
  }

  return { picture, words, table, passesOf, lanesOf };
})();
