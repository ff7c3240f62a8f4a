// The bar below a program: buttons to edit, run, stop and reset it, and a sentence on its state.

import { html } from "../../../viz/page/src/dom.js";
import { button } from "../../playground/src/button.js";

export class ProgramBar {
  state = "closed"; // or open, or running
  starts = ""; // what is said of Python's start

  // Each button is [text, title, what it does].
  constructor(edit, go, stop, reset, ...more) {
    this.buttons = [edit, go, stop, reset].map(([text, title, press]) => button(text, { title }, press));
    this.said = html("span", { class: "live-state", role: "status" });
    this.asked = html("span", { class: "live-asked", role: "status" });
    this.element = html("div", { class: "live-bar" }, ...this.buttons, this.asked, this.said, ...more);
    this.show("closed");
  }

  show(state) {
    const [edits, runs, stops, resets] = this.buttons;
    this.state = state;
    edits.hidden = state !== "closed";
    runs.hidden = resets.hidden = state === "closed";
    stops.hidden = state !== "running";
    runs.disabled = resets.disabled = state === "running";
  }

  say(text) {
    this.said.textContent = text;
  }

  // Say how Python starts, unless the reader must do something first. Without a text, take it back.
  start(text = "") {
    if (text ? !this.asked.hasChildNodes() : this.said.textContent === this.starts) this.say(text);
    this.starts = text;
  }

  // Ask for something, with a button. Without arguments nothing is asked any more.
  ask(...question) {
    this.asked.replaceChildren(...question);
    this.start();
  }

  focus() {
    this.buttons[0].focus();
  }
}
