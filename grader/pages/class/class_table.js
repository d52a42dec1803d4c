// SPDX-License-Identifier: Apache-2.0
// Sorts, searches, filters and pages the table of students, which is whole without it.
"use strict";

const words = JSON.parse(document.getElementById("data").textContent).words;
const byId = (id) => document.getElementById(id);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => name in values ? values[name] : all);

const table = byId("class");
const body = table.tBodies[0];
const heads = [...table.querySelectorAll("th[data-sort]")];
const collator = new Intl.Collator(document.documentElement.lang, {numeric: true, sensitivity: "base"});

// Letters that Unicode does not take apart into a letter and an accent.
const spelled = {ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", ħ: "h", ı: "i", ß: "ss", æ: "ae", œ: "oe"};
// Lower case, and without accents and apostrophes: "muller" finds "Müller", "obrien" and "o’brien" both find "O'Brien".
// Not in the reader's locale, where a Turkish "I" would become another letter than "i".
const plain = (text) => text.normalize("NFKD").replace(/\p{M}|['‘’‚‛′ʹʻʼʽˈ`´]/gu, "").toLowerCase()
  .replace(/[łøđðþħıßæœ]/g, (letter) => spelled[letter]);

const students = [...body.rows].map((row) => ({
  row,
  name: row.cells[0].querySelector("bdi").textContent.trim(), // Without the login: "Max" comes before "Max (2)".
  text: plain(row.cells[0].textContent + " " + row.dataset.more),
  flags: new Set(row.dataset.flags.split(" ")),
  section: row.dataset.section,
}));
let order = students.slice();
let page = 0;

function valueOf(student, column, kind) {
  if (kind === "text") return student.name;
  const value = student.row.cells[column].dataset.value;
  return value === "" ? null : Number(value);
}

// What has no value comes last in either direction.
function compare(a, b, kind, direction) {
  if (a === null || b === null) return (a === null) - (b === null);
  return direction * (kind === "text" ? collator.compare(a, b) : a - b);
}

function sortBy(head) {
  const kind = head.dataset.sort;
  // Names begin with the first, numbers with the largest; the second time the other way round.
  const first = kind === "text" ? "ascending" : "descending";
  const other = first === "ascending" ? "descending" : "ascending";
  const wanted = head.getAttribute("aria-sort") === first ? other : first;
  for (const each of heads) each.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", wanted);
  const column = head.cellIndex;
  const direction = wanted === "ascending" ? 1 : -1;
  order.sort((a, b) => compare(valueOf(a, column, kind), valueOf(b, column, kind), kind, direction));
  body.append(...order.map((student) => student.row));
  page = 0;
  show();
}

function wanted() {
  const parts = plain(byId("search").value).split(/\s+/).filter(Boolean);
  const flags = [...document.querySelectorAll("input[name=flag]:checked")].map((box) => box.value);
  const section = byId("section")?.value ?? "";
  return (student) => parts.every((part) => student.text.includes(part)) &&
    flags.every((flag) => student.flags.has(flag)) && (section === "" || student.section === section);
}

// Rows of other pages are hidden on a screen only: paper shows all that fit the filters.
function show() {
  const found = order.filter(wanted());
  const size = Number(byId("rows").value) || found.length || 1;
  const pages = Math.max(Math.ceil(found.length / size), 1);
  page = Math.min(Math.max(page, 0), pages - 1);
  for (const student of students) student.row.hidden = true;
  found.forEach((student, i) => {
    student.row.hidden = false;
    student.row.classList.toggle("elsewhere", Math.floor(i / size) !== page);
  });
  byId("shown").textContent = found.length ? fill(words.shown, {shown: found.length, all: students.length}) : words.none;
  byId("printed").textContent = found.length < students.length ? byId("shown").textContent : "";
  byId("at").textContent = fill(words.page, {page: page + 1, pages});
  byId("back").disabled = page === 0;
  byId("next").disabled = page === pages - 1;
}

function turn(by) {
  page += by;
  show();
  table.parentElement.scrollTop = 0;
}

function searched() {
  page = 0;
  show();
}

// Whether there are more columns to the right of what is in sight.
function hint() {
  const region = table.parentElement;
  const hidden = region.scrollWidth - region.clientWidth;
  region.classList.toggle("more", region.scrollLeft < hidden - 1);
  byId("scroll-hint").hidden = hidden <= 1;
}

for (const head of heads) {
  const button = document.createElement("button");
  button.type = "button";
  const name = head.dataset.name;
  if (name) {
    button.setAttribute("aria-label", fill(words.sort, {name}));
    button.append(Object.assign(document.createElement("span"), {className: "arrow"}));
    head.append(button);
  } else {
    button.append(...head.childNodes, Object.assign(document.createElement("span"), {className: "arrow"}));
    head.replaceChildren(button);
  }
  button.addEventListener("click", () => sortBy(head));
}
byId("controls").addEventListener("input", searched);
// The fields are empty only after the event.
byId("controls").addEventListener("reset", () => setTimeout(searched));
byId("controls").addEventListener("submit", (event) => event.preventDefault());
byId("rows").addEventListener("input", searched);
byId("back").addEventListener("click", () => turn(-1));
byId("next").addEventListener("click", () => turn(1));
byId("controls").hidden = false;
byId("pager").hidden = false;
show();
new ResizeObserver(hint).observe(table);
new ResizeObserver(hint).observe(table.parentElement);
table.parentElement.addEventListener("scroll", hint);
