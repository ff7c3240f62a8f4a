// The cells of a live chapter: one that prepares others, and one that the page shows with what it gives.

import { find, html } from "../../../viz/page/src/dom.js";
import { button } from "../../playground/src/button.js";
import { inPage } from "../../playground/src/drawing.js";
import { markLine } from "../../playground/src/editor.js";
import { tellTheme } from "../../playground/src/theme.js";
import { PLAYGROUND } from "./chapters.js";
import { ProgramBar } from "./program_bar.js";
import { editInPlace, loadEditor } from "./program_editor.js";

export class HiddenCell {
  name = "hidden cell";
  isStale = false;
  /** @type {string | null} */
  ran = null; // the text that has run last

  constructor({ source, raises }, number) {
    this.source = source;
    this.raises = raises;
    this.number = number;
  }

  get text() {
    return this.source;
  }
}

export class ShownCell extends HiddenCell {
  /** @type {any} */
  editor = null;

  // `typed` is what the reader has typed earlier. `page` runs, stops and keeps cells.
  constructor(cell, number, element, name, typed, page) {
    super(cell, number);
    this.element = element;
    this.name = name;
    this.typed = typed;
    this.page = page;
    this.code = find(".cell_input", element);
    this.output = find(".cell_output", element) ?? html("div", { class: "cell_output docutils container" });
    this.recorded = [...this.output.childNodes];
    this.made = page.sources.slice(0, number + 1); // what the result was made from: the texts of the cells up to this one
    const again = button("run it again", {}, () => page.run(this));
    this.stale = html("p", { class: "stale-note" }, html("span"), " ", again);
    const address = new URL("index.html", PLAYGROUND), title = "the program up to here";
    const link = html("a", { href: address, title }, "open in playground");
    link.addEventListener("click", event => {
      event.preventDefault();
      page.openInPlayground(this);
    });
    this.bar = new ProgramBar(
      ["edit and run", "change this program and run it here", () => this.open()],
      ["▶ run", "Ctrl-Enter", () => page.run(this)],
      ["stop", "end the program; your text stays", () => page.stop()],
      ["reset", "show the book's program and result again", () => this.restore()],
      link,
    );
    const updates = button("update the results below", {}, () => page.runStale(this));
    this.later = html("span", { class: "live-state" }, html("span"), updates);
    this.bar.said.after(this.later);
    this.code.after(this.bar.element, this.stale, this.output);
    if (typed !== undefined) this.open(false).then(() => this.bar.say("This is your text. The result is the book's until you run it."));
  }

  get text() {
    return this.editor?.getValue() ?? this.typed ?? this.source;
  }

  async open(byReader = true) {
    this.bar.show("open");
    try {
      await loadEditor();
    } catch (error) {
      return this.bar.say(/** @type {Error} */ (error).message);
    }
    if (this.editor) return;
    this.editor = editInPlace(this.code, this.text, `program of ${this.name}`, () => this.page.run(this));
    this.editor.on("change", () => {
      this.page.keep(this, this.text === this.source ? undefined : this.text);
      this.mark(null);
      this.page.markStale();
    });
    if (!byReader) return;
    this.editor.focus();
    this.page.start(this);
  }

  restore() {
    this.page.keep(this, undefined);
    this.editor?.getWrapperElement().parentNode.remove();
    this.editor = null;
    this.typed = undefined;
    this.code.hidden = false;
    this.output.replaceChildren(...this.recorded);
    this.made = this.page.sources.slice(0, this.number + 1);
    this.bar.say("");
    this.bar.ask();
    this.bar.show("closed");
    this.page.markStale();
    this.bar.focus();
  }

  // Say whether the result is older than this program, or than one above it. `later` is how many results below it are.
  showStale(later) {
    this.element.classList.toggle("stale", this.isStale);
    this.stale.hidden = !this.isStale;
    this.stale.lastChild.hidden = Boolean(this.editor); // it has a button of its own
    const changed = this.text === this.made.at(-1) ? "a program above it" : "this program";
    this.stale.firstChild.textContent = `This result is older than ${changed}.`;
    this.later.hidden = this.isStale || !later || !this.editor;
    this.later.firstChild.textContent = `older results below: ${later} `;
  }

  mark(line) {
    if (this.editor) markLine(this.editor, line);
  }

  clear() {
    this.output.replaceChildren();
    this.printed = null;
    this.mark(null);
  }

  print(text, kind = "stream") {
    if (this.printed?.dataset.kind !== kind) {
      this.printed = html("pre", { "data-kind": kind });
      const highlight = html("div", { class: "highlight" }, this.printed);
      this.output.append(html("div", { class: `output ${kind} highlight-none notranslate` }, highlight));
    }
    this.printed.append(text);
  }

  showValue({ html: markup, svg, text }) {
    if (text !== undefined) return this.print(`${text}\n`, "text_plain");
    if (!(markup ?? svg)) return;
    const box = html("div", { class: "output text_html" });
    box.innerHTML = markup ?? inPage(svg);
    const frame = find("iframe", box);
    frame?.addEventListener("load", () => tellTheme(frame));
    this.output.append(box);
  }

  fail({ text, line }) {
    this.print(`${text}\n`, "error");
    this.mark(line);
  }
}
