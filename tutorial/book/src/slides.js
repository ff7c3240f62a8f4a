// Slides of a chapter: one part at a time, as large as a room needs. #slides=3 in the address opens slide 3.
// A file that holds only this chapter opens as slides.

import { writeAddress } from "../../../viz/page/src/address.js";
import { all, find, html } from "../../../viz/page/src/dom.js";
import { button } from "../../playground/src/button.js";
import { holdAt } from "./place.js";
import { ALONE, blocksOf, divide } from "./slide_blocks.js";

const FORWARD = ["ArrowRight", "PageDown"], BACK = ["ArrowLeft", "PageUp"];
const WRITES = "textarea, select, [contenteditable], [role=textbox], input:not([type=radio])";
const SMALLEST = 0.35, SMALLER = 0.05; // sizes of a slide that is too high

export function offerSlides() {
  const offer = find("button.start-slides");
  if (!offer) return;
  const slides = new Slides(), article = find("article");
  offer.hidden = false;
  offer.addEventListener("click", () => slides.startHere());
  addEventListener("keydown", event => slides.press(event));
  addEventListener("hashchange", () => asked() && slides.start(asked() - 1));
  addEventListener("resize", () => slides.isShown && slides.start(slides.number));
  new ResizeObserver(() => slides.isShown && slides.fit(article.style.zoom)).observe(article); // a reply is open, or a figure drawn
  addEventListener("load", () => {
    const first = asked() || Number(document.body.dataset.opens === "slides" && !location.hash);
    if (first) slides.start(first - 1);
  });
}

const asked = () => Number(/^#slides=(\d+)$/.exec(location.hash)?.[1] ?? 0);

const clear = () => all(".on-slide").forEach(block => block.classList.remove("on-slide"));

class Slides {
  slides = []; // lists of blocks
  number = -1; // of the slide that is shown, or -1
  /** @type {any} */
  bar = null;

  get isShown() {
    return this.number >= 0;
  }

  start(number) {
    this.bar ??= this.makeBar();
    document.documentElement.classList.add("presents"); // the size of the text, which the heights depend on
    document.body.classList.add("measures");
    find("article").style.zoom = 1;
    this.slides = divide();
    document.body.classList.remove("measures");
    this.show(number);
  }

  // Start with the slide of the block at which the reader is.
  startHere() {
    const above = blocksOf(find("article")).filter(block => block.getBoundingClientRect().top < innerHeight / 3);
    this.start(0);
    this.show(this.slides.findLastIndex(shown => above.includes(shown.find(block => !block.matches("h1, h2")))));
  }

  show(number) {
    this.number = Math.max(0, Math.min(this.slides.length - 1, number));
    const shown = this.slides[this.number];
    clear();
    for (const block of shown) block.classList.add("on-slide");
    for (const frame of all("iframe", shown[0])) frame.loading = "eager";
    document.body.classList.toggle("player-slide", shown[0].matches(ALONE));
    find("output", this.bar).textContent = `slide ${this.number + 1} of ${this.slides.length}`;
    writeAddress(`#slides=${this.number + 1}`);
    this.fit();
    scrollTo(0, 0);
  }

  // Make the slide smaller until it fits above the bar. (Less than a third of its size would be no slide: it scrolls.)
  fit(largest = 1) {
    const article = find("article"), { style } = article;
    const isTooHigh = () => article.getBoundingClientRect().bottom + scrollY > innerHeight - this.bar.offsetHeight + 1;
    for (style.zoom = largest; isTooHigh() && style.zoom > SMALLEST; ) style.zoom -= SMALLER;
  }

  end() {
    const [first] = this.slides[this.number];
    this.number = -1;
    clear();
    document.documentElement.classList.remove("presents");
    document.body.classList.remove("player-slide");
    find("article").style.zoom = "";
    writeAddress(location.pathname + location.search);
    holdAt(first); // what the page covers stays covered
  }

  makeBar() {
    const made = html("div", { class: "slide-bar" },
      html("output"),
      button("←", { "aria-label": "previous slide" }, () => this.show(this.number - 1)),
      button("→", { "aria-label": "next slide" }, () => this.show(this.number + 1)),
      button("End", { "aria-label": "end (Esc)" }, () => this.end()),
    );
    document.body.append(made);
    return made;
  }

  press(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest(WRITES)) return;
    if (key === "?") find("#keys")?.togglePopover();
    if (!this.isShown) {
      if (/^s$/i.test(key)) this.startHere();
      return;
    }
    const by = +FORWARD.includes(key) - +BACK.includes(key);
    if (key === "Escape") find("#keys:popover-open") ?? this.end();
    else if (by && !(target.matches("input") && key.startsWith("Arrow"))) {
      event.preventDefault(); // the page does not scroll
      this.show(this.number + by);
    }
  }
}
