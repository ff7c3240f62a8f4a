// A program to repair or to write: an editor in place of the listing, and a check in a Python of its own, which shows what is wrong.
// `seen` counts the mistakes: the first time the check observes and asks, then it tells the rule, then a hint.

import { all, find, html } from "../../../viz/page/src/dom.js";
import { button } from "../../playground/src/button.js";
import { markLine } from "../../playground/src/editor.js";
import { Python } from "../../playground/src/python.js";
import { tellTheme } from "../../playground/src/theme.js";
import { PLAYGROUND } from "./chapters.js";
import { TYPED, kept } from "./kept.js";
import { ProgramBar } from "./program_bar.js";
import { editInPlace, loadEditor } from "./program_editor.js";
import { tellDone } from "./tasks.js";
import { withNumpy } from "./with_numpy.js";

// All exercises of a page share one Python, which is not that of the cells: a check leaves their names alone.
/** @type {Python | null} */
let started = null;
const python = () => (started ??= new Python({}, PLAYGROUND));

export const makeExercises = () => all(".repair").forEach((section, number) => new Repair(section, number));

class Repair {
  seen = "{}";
  graphs = []; // what the last check shows: names of pages
  /** @type {any} */
  editor = null;

  says = ({ text }) => this.bar.start(text);

  heard = {
    progress: this.says,
    absent: this.says,
    ready: () => this.bar.start("Python is ready"),
    ended: found => this.ended(found),
    page: ({ name, html: text }) => this.draw(name, text),
    failed: ({ text }) => this.end(text),
    died: ({ text }) => this.end(`Python has stopped (${text.split("\n")[0]})`),
  };

  constructor(section, number) {
    const { exercise, edit, needs } = JSON.parse(find("script[type='application/json']", section).textContent);
    this.section = section;
    this.number = number;
    this.exercise = exercise;
    this.needsNumpy = needs === "numpy";
    this.listing = find(".highlight-python", section);
    this.given = find("pre", this.listing).textContent.trimEnd();
    this.bar = new ProgramBar(
      [edit, "change this program and check it here", () => this.open()],
      ["▶ check", "Ctrl-Enter", () => this.check()],
      ["stop", "end the check; your text stays", () => this.end("stopped")],
      ["reset", "show the given program again", () => this.restore()],
    );
    this.found = html("div", { class: "repair-found" });
    this.listing.after(this.bar.element, this.found);
  }

  async open() {
    try {
      await loadEditor();
    } catch (error) {
      return this.bar.say(/** @type {Error} */ (error).message);
    }
    const key = this.exercise + TYPED;
    this.editor = editInPlace(this.listing, kept.read()[key] ?? this.given, "your program", () => this.check());
    this.editor.on("change", editor => {
      kept.write(key, editor.getValue());
      this.mark(null);
      this.section.classList.remove("is-right");
      if (this.found.childElementCount) this.bar.say("What was found is older than this program.");
    });
    this.bar.show("open");
    this.editor.focus();
    this.start();
  }

  start() {
    python().heard = this.heard;
  }

  restore() {
    this.bar.ask();
    this.editor.setValue(this.given);
  }

  check() {
    if (this.bar.state === "running" || this.mustPredict()) return;
    this.start();
    if (this.needsNumpy) withNumpy(python(), this.bar, () => this.checkNow());
    else this.checkNow();
  }

  checkNow() {
    this.bar.show("running");
    this.bar.ask();
    this.mark(null);
    this.bar.say("The check runs …");
    python().run({ kind: "exercise", exercise: this.exercise, text: this.editor.getValue(), seen: this.seen });
  }

  // An exercise that asks for a number asks before the first check.
  mustPredict() {
    const form = find("form.predict", this.section);
    if (!form || form.dataset.predicted) return false;
    this.bar.ask("First predict the number above.");
    form.scrollIntoView({ block: "nearest" });
    form.elements.number.focus();
    return true;
  }

  ended({ state, title, said, line, graphs, seen }) {
    const right = state === "right";
    this.seen = seen;
    this.graphs = graphs;
    this.bar.show("open");
    this.section.classList.toggle("is-right", right);
    this.bar.say(state === "wrong" ? "Not right yet" : title);
    this.found.replaceChildren();
    if (!graphs.length) this.write(said);
    else python().ask({ kind: "page", name: graphs[0] });
    this.mark(line);
    if (right) tellDone("repair", this.number);
    python().warm();
  }

  draw(name, text) {
    const frame = html("iframe", { title: name, srcdoc: text, sandbox: "allow-scripts" });
    frame.addEventListener("load", () => tellTheme(frame));
    addEventListener("message", ({ source, data }) => {
      if (source === frame.contentWindow && data?.height) frame.style.height = `${data.height + 4}px`;
    });
    this.found.append(frame);
    const next = this.graphs[this.graphs.indexOf(name) + 1];
    if (!next) return;
    const show = button(next, {}, () => {
      more.remove();
      python().ask({ kind: "page", name: next });
    });
    const more = html("div", { class: "live-bar" }, show);
    this.found.append(more);
  }

  write(text) {
    this.found.replaceChildren(html("p", { class: "repair-said" }, text));
  }

  end(why) {
    python().renew();
    this.bar.show("open");
    this.bar.say("");
    this.write(why);
  }

  mark(line) {
    markLine(this.editor, line);
  }
}
