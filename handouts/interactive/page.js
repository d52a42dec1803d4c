// SPDX-License-Identifier: Apache-2.0
// What the interactive pages share: the data that the page brings, elements, and settings that live behind the # of the
// address, so that a link shows somebody else the same.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const words = data.words;
const byId = (id) => document.getElementById(id);

// "{blocks} blocks" with {blocks: 4}.
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => name in values ? values[name] : all);

const number = (value) => value.toLocaleString(document.documentElement.lang);
const percent = (share) => `${Math.round(1000 * share) / 10} %`;

const SVG = "http://www.w3.org/2000/svg";
const SVG_NAMES = new Set(["svg", "g", "rect", "line", "path", "text", "circle", "title", "desc"]);

// An element; children are elements or texts.
function make(name, attributes = {}, ...children) {
  const element = SVG_NAMES.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// The settings behind the #, as far as they are settings of ours and `allowed(name, value)`; `defaults` for the rest.
function readSettings(defaults, allowed) {
  const settings = {...defaults};
  for (const [name, text] of new URLSearchParams(location.hash.slice(1))) {
    if (!(name in defaults)) continue;
    const value = typeof defaults[name] === "number" ? Number(text) : text;
    if (text !== "" && allowed(name, value)) settings[name] = value;
  }
  return settings;
}

function writeSettings(settings) {
  history.replaceState(null, "", "#" + new URLSearchParams(settings));
}

// A whole number that lies in an <input>'s bounds.
function fitsInput(input, value) {
  return Number.isInteger(value) && value >= Number(input.min) && value <= Number(input.max);
}

// Copies the address and says so. Where the clipboard is closed to a page from disk, the address stands there to copy.
async function copyLink(output) {
  try {
    await navigator.clipboard.writeText(location.href);
    output.textContent = words.copied;
  } catch {
    output.textContent = location.href;
  }
}
