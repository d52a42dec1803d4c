// SPDX-License-Identifier: Apache-2.0
// Sends what a form says, and shows the exercise as it is then.
"use strict";

const words = JSON.parse(document.getElementById("data").textContent).words;
const said = document.getElementById("said");
const author = document.getElementById("author");

// Two people in two windows of one browser may be called differently.
author.value = sessionStorage.getItem("author") || author.value;
author.addEventListener("change", () => sessionStorage.setItem("author", author.value));

const keyOf = (form) => [form.className, form.dataset.action, form.dataset.test, form.dataset.line].join("|");
const fieldsOf = (form) => [...form.querySelectorAll("textarea, input")];
const isChanged = (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked;
// A form sends a box only if it is ticked.
const sentOf = (form) => fieldsOf(form).filter((field) => field.type !== "checkbox" || field.checked);

let forgetting = 0;
/** Below the exercises. That something was saved is not left standing beside what is not. */
function say(text) {
  clearTimeout(forgetting);
  said.textContent = text;
  if (text === words.saved) forgetting = setTimeout(() => { said.textContent = ""; }, 6000);
}
document.addEventListener("input", () => { if (said.textContent === words.saved) say(""); });

/** What is written in other forms of an exercise and not saved, so that it outlives the exercise's drawing. */
function unsavedIn(section, saved) {
  return [...section.querySelectorAll("form")].filter((form) => form !== saved && fieldsOf(form).some(isChanged))
    .map((form) => ({key: keyOf(form), seen: form.dataset.seen, values: fieldsOf(form).map((field) => [field.value, field.checked])}));
}

function putBack(section, unsaved) {
  for (const {key, seen, values} of unsaved) {
    const form = [...section.querySelectorAll("form")].find((each) => keyOf(each) === key);
    if (!form) continue;
    // What its writer has seen, and not what is there now.
    form.dataset.seen = seen;
    fieldsOf(form).forEach((field, i) => { [field.value, field.checked] = values[i]; });
    const folded = form.closest("details");
    if (folded) folded.open = true;
  }
}

function paragraph(text) {
  return Object.assign(document.createElement("p"), {textContent: text});
}

/** An error is no whole sentence on the terminal, where the advice has a line of its own. */
const sentence = (text) => text && !/[.!?。！？]$/.test(text) ? text + words.stop : text;

/** What somebody else wrote, with the points that it gives. */
function theirWords({text, gives}) {
  const points = gives === null ? [] : [(gives === "1" ? words.point : words.points).replace("{n}", gives)];
  return [words.theirs, [...points, ...(text ? [text] : [])].join(": ")].join(" ");
}

function showConflict(place, answer) {
  place.dataset.seen = answer.version;
  const box = Object.assign(document.createElement("div"), {className: "conflict"});
  box.setAttribute("role", "alert");
  box.append(paragraph(sentence(answer.error)), ...(answer.theirs ? [paragraph(theirWords(answer.theirs))] : []),
    paragraph(answer.next));
  const around = place.matches("form") ? place : place.closest(".item");
  around.querySelector(":scope > .conflict")?.remove();
  around.prepend(box);
}

/** Below the fields that it is about. */
function showRefusal(place, text) {
  const box = Object.assign(document.createElement("div"), {className: "refusal"});
  box.setAttribute("role", "alert");
  box.append(paragraph(text));
  (place.matches("form") ? place : place.closest(".item")).append(box);
}

/** What was refused before is not what is wrong now: the browser says that a field is empty. */
document.addEventListener("invalid", (event) => {
  event.target.closest("section")?.querySelectorAll(".refusal").forEach((each) => each.remove());
}, true);

async function send(asked) {
  try {
    const answer = await fetch("../decide", {method: "POST", headers: {"Content-Type": "application/json"},
      body: JSON.stringify(asked)});
    const isJson = answer.headers.get("Content-Type").startsWith("application/json");
    return {status: answer.status, said: isJson ? await answer.json() : {error: await answer.text(), next: ""}};
  } catch {
    return {status: 0, said: {error: words.failed, next: ""}};
  }
}

/** `place` is a form, or the box of a rubric's item. True if it was decided. */
async function decide(place, fields, removes) {
  const section = place.closest("section");
  const {action, test = "", line = "", seen, of} = place.dataset;
  say(words.unsaved);
  section.querySelectorAll(".refusal").forEach((each) => each.remove());
  const {status, said: answer} = await send({action, test, line, seen, of, removes, author: author.value,
    student: section.dataset.student, who: section.dataset.who, exercise: section.dataset.exercise, ...fields});
  if (status !== 200) {
    const refusal = [answer.error, answer.next].filter(Boolean).map(sentence).join(" ");
    say(status === 409 ? refusal : "");
    if (status === 409) showConflict(place, answer);
    else showRefusal(place, refusal);
    return false;
  }
  const unsaved = unsavedIn(section, place);
  const drawn = document.createElement("template");
  drawn.innerHTML = answer.html;
  const now = drawn.content.querySelector("section");
  putBack(now, unsaved);
  section.replaceWith(now);
  document.getElementById("total").textContent = answer.points;
  document.getElementById("count").textContent = answer.count;
  say(words.saved);
  const again = [...now.querySelectorAll("form, input")].find((each) => keyOf(each) === keyOf(place));
  const focused = again?.matches("input") ? again : action === "reviewed" ? again?.querySelector("button") : null;
  (focused ?? now).focus({preventScroll: true});
  return true;
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  const fields = Object.fromEntries(sentOf(form).map((field) => [field.name, field.value]));
  decide(form, fields, event.submitter?.name === "removes");
});

// As in a mail program, where Enter alone begins a line.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing || !event.target.form) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

document.addEventListener("change", async (event) => {
  const box = event.target;
  if (box.dataset.action !== "mark") return;
  if (!await decide(box, {}, !box.checked)) box.checked = !box.checked;
});

document.addEventListener("click", (event) => {
  const button = event.target.closest(".line");
  if (!button) return;
  const folded = button.closest("section").querySelector(".new-line");
  const form = folded.querySelector("form");
  folded.open = true;
  // Beside the line that it is about.
  button.closest(".l").after(folded);
  form.elements.line.value = button.dataset.line;
  form.elements.text.focus();
});

/** A link to an exercise opens what it is folded in. */
function openWhatIsLinked() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = target?.closest("details");
  if (!folded || folded.open) return;
  folded.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", openWhatIsLinked);
openWhatIsLinked();

addEventListener("beforeunload", (event) => {
  if ([...document.querySelectorAll("form")].some((form) => fieldsOf(form).some(isChanged))) event.preventDefault();
});
