// SPDX-License-Identifier: Apache-2.0
// Checks the drills of a chapter's page. Without it the page shows the answers folded up.
"use strict";

// What somebody typed, as a number; null for anything else. `warplings drill` understands the same (JudgeDrill in
// grader/workbook/drills.cc).
function numberTyped(text) {
  const found = /^(\d+(?:[,_]\d{3}(?!\d))*(?:\.\d+)?)\s*(%|-?[A-Za-z\u0080-\uffff][^0-9]*)?$/.exec(text.trim());
  return found ? Number(found[1].replace(/[,_]/g, "")) : null;
}

const isSame = (one, other) => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));

// {right, answer, mistake} of what stands in a drill's field; null if that is no answer.
function judge(drill, text) {
  // An input method for Chinese may give full-width digits.
  const normal = text.normalize("NFKC");
  const answer = drill.choices.length > 0 && normal === "" ? null : numberTyped(normal);
  if (answer === null) return null;
  return {right: isSame(answer, drill.answer), answer, mistake: drill.wrong.find((each) => isSame(each.answer, answer))};
}

// Text whose code stands in `backticks`.
function withCode(text) {
  return text.split("`").map((part, i) => i % 2 ? make("code", {}, part) : part);
}

function answerText(drill, answer) {
  if (drill.choices.length > 0) return drill.choices[answer];
  return drill.unit !== "" && (answer !== 1 || drill.unit === "%") ? `${answer} ${drill.unit}` : String(answer);
}

function verdict(drill, text) {
  const found = judge(drill, text);
  if (!found) return ["", drill.choices.length > 0 ? words.choose : words.no_number];
  const answer = answerText(drill, found.answer);
  if (found.right) return ["good", fill(words.right, {answer}) + drill.why];
  return ["bad", fill(words.wrong, {answer}) + (found.mistake ? found.mistake.why : words.again)];
}

const solved = new Set();

function check(drill) {
  const [kind, told] = verdict(drill, byId(`answer-${drill.id}`).value);
  const output = byId(`told-${drill.id}`);
  output.className = `told ${kind}`;
  output.replaceChildren(...withCode(told));
  if (kind === "good") solved.add(drill.id);
  byId("drills-solved").textContent = fill(words.solved, {solved: solved.size, all: data.drills.length});
}

for (const drill of data.drills) {
  const form = byId(`form-${drill.id}`);
  form.hidden = false;
  // Enter in the field does the same as the button.
  form.addEventListener("submit", (event) => { event.preventDefault(); check(drill); });
}
