// SPDX-License-Identifier: Apache-2.0
// Plays the time lines of a page (figures/timelines.py). Without it, on paper, and for readers who want no motion, a time
// line is its whole picture: what a step adds has its number in data-step, and the list below the picture has a sentence
// for each step. Playing shows one step after the other and ends with the whole picture.
"use strict";

const timelineWords = JSON.parse(document.getElementById("data").textContent).timeline;
const timelineStill = matchMedia("(prefers-reduced-motion: reduce)");
// Milliseconds: how long a step is shown at most, and all of them together.
const TIMELINE_PAUSE = 900, TIMELINE_LENGTH = 16000;

const timelineFill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => name in values ? values[name] : all);

class Timeline {
  constructor(figure) {
    this.figure = figure;
    this.sentences = [...figure.querySelectorAll(".steps-in-words li")].map((each) => each.textContent);
    this.parts = [...figure.querySelectorAll("[data-step]")].map((part) => [part, Number(part.dataset.step)]);
    this.last = this.sentences.length - 1;
    this.at = null;      // The step that is shown; null: all of them, and none marked.
    this.timer = null;
    this.isChosen = false;  // A reader has chosen what is shown.
    this.pauseBetween = Math.min(TIMELINE_PAUSE, TIMELINE_LENGTH / this.sentences.length);
    this.addControls();
    this.show();
    timelineStill.addEventListener("change", () => { if (timelineStill.matches) this.pause(); });
    addEventListener("beforeprint", () => this.pause());
    // It begins by itself once, when a reader has come to it, unless they asked for less motion. On a slide, who shows it
    // says when.
    if (document.body.classList.contains("slides")) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((each) => each.isIntersecting)) return;
      observer.disconnect();
      if (!timelineStill.matches && !this.isChosen) this.play();
    }, {threshold: 0.9});
    observer.observe(figure.querySelector(".drawings"));
  }

  addControls() {
    const button = (action) => {
      const element = document.createElement("button");
      element.type = "button";
      element.addEventListener("click", () => { this.isChosen = true; action(); });
      this.controls.append(element);
      return element;
    };
    this.controls = document.createElement("div");
    this.controls.className = "timeline-controls screen-only";
    this.controls.setAttribute("role", "group");
    this.controls.setAttribute("aria-label", timelineWords.controls);
    this.back = button(() => this.step(-1));
    this.toggle = button(() => this.timer === null ? this.play() : this.pause());
    this.next = button(() => this.step(1));
    this.whole = button(() => { this.pause(); this.at = null; this.show(); });
    this.back.textContent = timelineWords.back;
    this.next.textContent = timelineWords.next;
    this.whole.textContent = timelineWords.whole;
    this.words = document.createElement("p");
    this.words.className = "timeline-words";
    this.controls.append(this.words);
    this.figure.querySelector(".drawings").after(this.controls);
  }

  // A reader steps: what is shown is read aloud.
  step(by) {
    this.pause();
    const from = this.at ?? (by === 1 ? -1 : this.last + 1);
    this.at = Math.min(Math.max(from + by, 0), this.last);
    this.show();
  }

  play() {
    if (this.at === null || this.at === this.last) this.at = 0;
    // Nobody can listen to a sentence a second.
    this.timer = setInterval(() => {
      if (this.at === this.last) {
        this.pause();
        this.at = null;
      } else {
        ++this.at;
      }
      this.show();
    }, this.pauseBetween);
    this.show();
  }

  pause() {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    this.show();
  }

  show() {
    for (const [part, step] of this.parts) {
      part.classList.toggle("later", this.at !== null && this.at < step);
      part.classList.toggle("now", this.at === step);
    }
    this.toggle.textContent = this.timer === null ? timelineWords.play : timelineWords.pause;
    this.back.disabled = this.at === 0;
    this.next.disabled = this.at === this.last;
    this.whole.disabled = this.at === null;
    this.words.setAttribute("aria-live", this.timer === null ? "polite" : "off");
    this.words.textContent = this.at === null ? timelineWords.all :
      timelineFill(timelineWords.step, {step: this.at + 1, steps: this.last + 1, sentence: this.sentences[this.at]});
  }
}

for (const figure of document.querySelectorAll("figure.timeline")) figure.timeline = new Timeline(figure);
