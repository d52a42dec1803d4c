// SPDX-License-Identifier: Apache-2.0
// What a chosen line shows, and how lines are chosen; the maps of the output.
"use strict";

(() => {
  const data = pageData;
  const maps = document.getElementById("maps");
  if (maps) maps.append(...OutputMap.all(data.map, data.title, data.explanation));

  // Bars of phones show only while one scrolls: nothing else says that columns are out of sight.
  const compared = document.querySelector("table.compare")?.parentElement;
  const sayThatTableScrolls = () => {
    document.getElementById("compare-scrolls").hidden = compared.scrollWidth <= compared.clientWidth + 1;
  };
  if (compared) {
    sayThatTableScrolls();
    window.addEventListener("resize", sayThatTableScrolls);
  }

  const panel = document.getElementById("picture");
  if (!panel) return;
  const part = (name) => document.getElementById(`picture-${name}`);
  const workbench = panel.closest(".workbench");
  const buttons = [...document.querySelectorAll("button[data-line]")];
  let chosen = null;  // {line, what, who, samples, at}

  const whatOf = (sample) => `${sample.opcode}${sample.object ? `, ${sample.object}` : ""}`;
  const whoOf = (sample) => {
    const block = [sample.block.x, sample.block.y, ...(sample.block.z ? [sample.block.z] : [])].join(", ");
    return say(sample.launch ? "block ({block}), warp {warp}, launch {launch}" : "block ({block}), warp {warp}",
               { block, warp: sample.warp, launch: sample.launch + 1 });
  };
  // Not "phase": a phase of a tiled kernel has two barriers.
  const barriersBefore = (n) => (n === 0 ? say("before any barrier") : counted(n, "after {n} barrier", "after {n} barriers"));
  const whenOf = (sample) => barriersBefore(sample.phase) + (sample.visit ? say(", time {time}", { time: sample.visit + 1 }) : "");

  function select(label, names, value, change) {
    const box = made("select", {});
    for (const name of names) box.append(made("option", { value: name, textContent: name, selected: name === value }));
    box.addEventListener("change", () => change(box.value));
    return made("label", {}, label, box);
  }

  /** The request that is shown: `keep` of what was shown before where the line has it. */
  function show(keep) {
    const own = data.accesses.filter((sample) => sample.line === chosen.line);
    const instructions = [...new Set(own.map(whatOf))];
    const what = instructions.includes(keep.what) ? keep.what : whatOf(worst(own));
    const warps = [...new Set(own.filter((sample) => whatOf(sample) === what).map(whoOf))];
    const who = warps.includes(keep.who) ? keep.who : warps[0];
    const samples = own.filter((sample) => whatOf(sample) === what && whoOf(sample) === who);
    const whens = samples.map((sample, place) => `${place + 1}: ${whenOf(sample)}`);
    const at = Math.max(0, Math.min(samples.length - 1, keep.at ?? 0));
    chosen = { line: chosen.line, what, who, at };

    const step = (by, text, label) => {
      const button = made("button", { type: "button", textContent: text, "aria-label": label, disabled: !samples[at + by] });
      button.addEventListener("click", () => {
        show({ what, who, at: at + by });
        const again = part("controls").querySelector(`button[aria-label="${label}"]`);
        (again.disabled ? part("controls").querySelector("button:not(:disabled)") : again)?.focus();
      });
      return button;
    };
    part("title").textContent = say("Line {line}", { line: chosen.line });
    part("controls").replaceChildren(
      select(say("Access"), instructions, what, (value) => show({ what: value, who })),
      select(say("Warp"), warps, who, (value) => show({ what, who: value })),
      select(say("When"), whens, whens[at], (value) => show({ what, who, at: whens.indexOf(value) })),
      step(-1, "‹", say("The request before")), step(1, "›", say("The next request")));
    const sample = samples[at];
    part("words").replaceChildren(made("p", { textContent: AccessPicture.words(sample).join(say(" ")) }));
    part("drawing").replaceChildren(AccessPicture.picture(sample));
    part("table").replaceChildren(AccessPicture.table(sample));
    sayWhatScrolls();
  }

  /** Where a part of the picture is out of sight, nothing else says so: bars of phones show only while one scrolls. */
  function sayWhatScrolls() {
    const drawing = part("drawing");
    part("scrolls").hidden = true;
    const isWide = drawing.scrollWidth > drawing.clientWidth + 1, isLong = panel.scrollHeight > panel.clientHeight + 1;
    part("scrolls").textContent = isWide && isLong ? say("The picture goes on to the right and below: scroll it.")
      : isWide ? say("The picture goes on to the right: scroll it.") : say("The picture goes on below: scroll it.");
    part("scrolls").hidden = !isWide && !isLong;
  }

  /** The request with most to say: conflicts, then sectors for what it asks. */
  function worst(samples) {
    const badness = (sample) => sample.conflicts * 100 + sample.sectors;
    return samples.reduce((most, sample) => (badness(sample) > badness(most) ? sample : most));
  }

  function choose(line) {
    const keep = chosen ?? {};
    chosen = { line };
    for (const button of buttons) {
      const is = Number(button.dataset.line) === line;
      button.setAttribute("aria-pressed", String(is));
      button.closest("tr").classList.toggle("chosen", is);
    }
    panel.hidden = false;
    workbench.classList.add("open");
    show({ who: keep.who });
    uncover(buttons.find((button) => Number(button.dataset.line) === line).closest("tr"));
  }

  /** Where the picture lies over the foot of the page, the chosen line shall not be behind it. */
  function uncover(row) {
    const line = row.getBoundingClientRect(), over = panel.getBoundingClientRect();
    const isBeside = over.left > workbench.getBoundingClientRect().left + 1;
    const hidden = line.bottom + 8 - over.top;
    if (isBeside || hidden <= 0 || line.top > over.bottom) return;
    const listing = row.closest(".listing"), before = listing.scrollTop;
    listing.scrollTop += hidden;
    window.scrollBy(0, hidden - (listing.scrollTop - before));
  }

  function close() {
    const button = buttons.find((each) => Number(each.dataset.line) === chosen?.line);
    panel.hidden = true;
    workbench.classList.remove("open");
    button?.setAttribute("aria-pressed", "false");
    button?.closest("tr").classList.remove("chosen");
    button?.focus();
    chosen = null;
  }

  for (const button of buttons) {
    const line = Number(button.dataset.line);
    button.closest("tr").addEventListener("click", (event) => {
      if (!String(window.getSelection()) || event.target.closest("button")) choose(line);
    });
    button.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const next = by && buttons[buttons.indexOf(button) + by];
      if (!next) return;
      event.preventDefault();
      next.focus();
      choose(Number(next.dataset.line));
    });
  }
  part("close").addEventListener("click", close);
  window.addEventListener("resize", () => {
    if (chosen) sayWhatScrolls();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen) close();
  });

  // A wide screen has room for the picture of the line with most to show, beside the code.
  if (data.accesses.length > 0 && window.matchMedia("(min-width: 104rem)").matches) choose(worst(data.accesses).line);
})();
