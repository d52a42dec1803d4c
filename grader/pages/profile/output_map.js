// SPDX-License-Identifier: Apache-2.0
// Draws what became of each element of an output, and tells of the one that is pointed at: what it holds, and the
// formula by which it was computed, where one was found.
"use strict";

const OutputMap = (() => {
  const KINDS = { ".": "right", w: "wrong", "-": "never", n: "nan", "?": "unknown" };
  const WORDS = { ".": "right", w: "wrong", "-": "never written", n: "not a number", "?": "unknown" };

  const keyOf = (term) => JSON.stringify([...term.factors].sort());
  const textOf = (term) => {
    const product = term.factors.join("·") || "1";
    return term.times === 1 ? product : `${term.times} × ${product}`;
  };

  /** The terms of one side; those that the other side has not, or not as often, are marked. */
  function sum(label, terms, others, mark) {
    const times = new Map(others.map((term) => [keyOf(term), term.times]));
    const MOST = 48, line = made("p", { className: "sum" }, made("span", { className: "label", textContent: label }));
    if (terms.length === 0) line.append("0");
    // What differs comes first where not all fit.
    const differs = (term) => times.get(keyOf(term)) !== term.times;
    const shown = terms.length <= MOST ? terms : [...terms].sort((a, b) => differs(b) - differs(a)).slice(0, MOST);
    shown.forEach((term, place) => {
      if (place) line.append(" + ");
      line.append(made("span", { className: differs(term) ? mark : "", textContent: textOf(term) }));
    });
    if (terms.length > shown.length) line.append(say(" + {n} more", { n: terms.length - shown.length }));
    return line;
  }

  function placeOf(name) {
    const found = [...name.matchAll(/\[(\d+)\]/g)].map((each) => Number(each[1]));
    return found.length > 0 ? found : null;
  }

  /** {title, columns, cells: [{name, state, expected, actual, formula}]} of the map of a test. */
  function ofTest(map, title) {
    let wrong = 0;
    const cells = [...map.states].map((state, i) => {
      const name = map.columns ? `${map.array}[${Math.floor(i / map.columns)}][${i % map.columns}]` : `${map.array}[${i}]`;
      const cell = { name, state };
      if (state !== ".") {
        cell.expected = map.expected[wrong];
        cell.actual = map.actual[wrong++];
      }
      return cell;
    });
    return { title: say("{array} in the test “{test}”", { array: map.array, test: title }), columns: map.columns, cells,
             rest: map.elements - cells.length };
  }

  /** The same of the call whose formulas were found. */
  function ofFormulas(explanation) {
    const columns = 1 + Math.max(0, ...explanation.every.map((each) => (placeOf(each.element)?.length === 2 ? placeOf(each.element)[1] : -1)));
    const cells = [];
    for (const formula of explanation.every) {
      const place = placeOf(formula.element);
      if (!place) continue;
      const at = place.length === 2 ? place[0] * columns + place[1] : place[0];
      const same = formula.yours.length === formula.right.length &&
        formula.right.every((term) => formula.yours.some((other) => keyOf(other) === keyOf(term) && other.times === term.times));
      cells[at] = { name: formula.element, state: !formula.stored ? "-" : same ? "." : "w", formula };
    }
    for (let i = 0; i < cells.length; ++i) cells[i] ??= { name: "", state: "?" };
    return { title: say("How each element is computed, with {call}", { call: explanation.call }), columns: columns > 0 ? columns : 0, cells, rest: 0 };
  }

  function tell(box, cell) {
    box.replaceChildren(made("h4", { textContent: cell.name || say("not known") }), made("p", { className: cell.state === "." ? "good" : "bad", textContent: say(WORDS[cell.state]) }));
    if (cell.expected !== undefined) {
      const held = cell.state === "-" ? say("nothing") : cell.actual;
      box.append(made("p", {}, made("span", { className: "label", textContent: say("expected") }), ` ${cell.expected}`),
                 made("p", {}, made("span", { className: "label", textContent: say("yours") }), ` ${held}`));
    }
    if (cell.formula) {
      if (cell.formula.stored) box.append(sum(say("yours"), cell.formula.yours, cell.formula.right, "extra"));
      box.append(sum(say("right"), cell.formula.right, cell.formula.stored ? cell.formula.yours : cell.formula.right, "lacking"));
    }
  }

  function legend(cells) {
    const list = made("ul", { className: "key-list" });
    for (const [state, kind] of Object.entries(KINDS)) {
      const number = cells.filter((cell) => cell.state === state).length;
      if (number === 0) continue;
      const key = drawn("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" });
      key.append(drawn("rect", { x: 1, y: 1, width: 10, height: 10, rx: 2, class: `cell ${kind}` }));
      list.append(made("li", {}, key, say("{state}: {n}", { state: say(WORDS[state]), n: number.toLocaleString("en") })));
    }
    return list;
  }

  function draw({ title, columns, cells, rest }) {
    const across = columns || Math.min(32, Math.max(1, cells.length)), down = Math.ceil(cells.length / across);
    const size = Math.max(8, Math.min(30, Math.floor(520 / across))), edge = 26;
    const svg = drawn("svg", { width: edge + across * size + 2, height: edge + down * size + 2, tabindex: 0, role: "img",
                               "aria-label": say("{title}. Arrow keys go from element to element.", { title }) });
    const box = made("div", { className: "told", "aria-live": "polite" }), here = drawn("rect", { width: size, height: size, class: "here", rx: 2 });
    const step = Math.max(1, Math.ceil(22 / size));
    for (let column = 0; column < across; column += step) {
      svg.append(drawn("text", { x: edge + (column + 0.5) * size, y: edge - 8, "text-anchor": "middle" }, column));
    }
    for (let row = 0; row < down; row += step) {
      svg.append(drawn("text", { x: edge - 5, y: edge + (row + 0.5) * size + 3, "text-anchor": "end" }, columns ? row : row * across));
    }
    cells.forEach((cell, i) => {
      svg.append(drawn("rect", { x: edge + (i % across) * size, y: edge + Math.floor(i / across) * size, width: size, height: size, rx: 2,
                                 class: `cell ${KINDS[cell.state]}`, "data-cell": i }));
    });
    svg.append(here);
    let at = Math.max(0, cells.findIndex((cell) => cell.state !== "." && cell.state !== "?"));
    const go = (to) => {
      at = Math.max(0, Math.min(cells.length - 1, to));
      here.setAttribute("x", edge + (at % across) * size);
      here.setAttribute("y", edge + Math.floor(at / across) * size);
      tell(box, cells[at]);
    };
    for (const kind of ["pointermove", "pointerdown"]) {
      svg.addEventListener(kind, (event) => {
        const under = event.target.closest("[data-cell]");
        if (under && Number(under.dataset.cell) !== at) go(Number(under.dataset.cell));
      });
    }
    svg.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across, Home: -at, End: cells.length - 1 - at };
      if (!(event.key in steps)) return;
      event.preventDefault();
      go(at + steps[event.key]);
    });
    if (cells.length > 0) go(at);
    const figure = made("div", { className: "map" }, made("h3", { textContent: title }), made("div", { className: "drawing" }, svg), box, legend(cells));
    if (rest > 0) figure.append(made("p", { className: "soft small", textContent: say("{n} more elements are not drawn.", { n: rest.toLocaleString("en") }) }));
    return figure;
  }

  /** Maps of the test's output and of the explained call; one map where both are of the same elements. */
  function all(map, title, explanation) {
    const maps = [];
    const values = map ? ofTest(map, title) : null;
    const formulas = explanation?.every?.length ? ofFormulas(explanation) : null;
    if (values && formulas && values.columns === formulas.columns && values.cells.length === formulas.cells.length) {
      values.cells.forEach((cell, i) => { cell.formula = formulas.cells[i].formula; });
      return [draw(values)];
    }
    if (formulas) maps.push(draw(formulas));
    if (values) maps.push(draw(values));
    return maps;
  }

  return { all };
})();
