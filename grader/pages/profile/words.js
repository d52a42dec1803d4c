// SPDX-License-Identifier: Apache-2.0
// What the page's data says, and the words of the other scripts in the page's language, as grader/pages/words.py has it:
// English stands in the code, and what has no translation stays English.
"use strict";

const pageData = JSON.parse(document.getElementById("data").textContent);

/** say("{n} lanes", { n: 32 }). A blank belongs between a Chinese letter and a Latin one or a digit. */
function say(english, values = {}) {
  const filled = (pageData.words[english] ?? english).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
  return english in pageData.words ? filled.replace(/(?<=[㐀-鿿])(?=[A-Za-z0-9([])|(?<=[A-Za-z0-9)%\]])(?=[㐀-鿿])/g, " ") : filled;
}

/** "1 lane", "32 lanes". */
const counted = (number, one, more) => say(number === 1 ? one : more, { n: number.toLocaleString("en") });
