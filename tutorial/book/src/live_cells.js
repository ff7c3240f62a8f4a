// The cells of a live chapter: the reader edits and runs them in the playground's Python, which the page starts at the first use.
// A cell runs after those before it, hidden ones included, whose present text has not run. All share their names.

import { all, find } from "../../../viz/page/src/dom.js";
import { linked } from "../../playground/src/packing.js";
import { Python } from "../../playground/src/python.js";
import { PLAYGROUND } from "./chapters.js";
import { TYPED, kept } from "./kept.js";
import { HiddenCell, ShownCell } from "./live_cell.js";
import { cellAfter } from "./predictions.js";
import { QUESTIONS, tellDone } from "./tasks.js";
import { withNumpy } from "./with_numpy.js";

const EDITED = location.pathname.split("/").pop() + TYPED; // what is kept: {number of a cell: its text}
const [STOPPED, LACKS_NUMPY] = [1, 2]; // in place of the error of a cell

export function makeCellsLive() {
  const sources = find("#cells");
  if (!sources) return;
  for (const form of all(QUESTIONS)) cellAfter(form)?.classList.add("live"); // these runs are counted as done
  window.live = new LiveCells(JSON.parse(sources.textContent)); // for tests and for the curious
}

class LiveCells {
  /** @type {Python | null} */
  python = null;
  /** @type {ShownCell | null} */
  waiting = null; // it says what Python does
  /** @type {any} */
  running = null; // what to do with the messages of the cell that runs

  says = ({ text }) => this.waiting?.bar.start(text);

  heard = {
    progress: this.says,
    absent: this.says,
    ready: () => this.running || this.says({ text: "Python is ready" }),
    print: ({ text }) => this.running?.print(text),
    ended: message => this.running?.ended(message),
    failed: ({ text }) => this.running?.ended({ error: { text, line: null }, shown: {} }),
    died: ({ text }) => this.renew(`Python has stopped (${text.split("\n")[0]}). A new one starts; your text stays.`),
  };

  constructor(sources) {
    const elements = all(".cell:has(> .cell_input)"), typed = kept.read()[EDITED] ?? {};
    let shown = 0;
    this.sources = sources.map(cell => cell.source);
    this.cells = sources.map((cell, number) => {
      const element = cell.shown && elements[shown];
      return element ? new ShownCell(cell, number, element, `cell ${++shown}`, typed[number], this) : new HiddenCell(cell, number);
    });
    this.markStale();
  }

  // A result is stale if a text that it was made from has changed since: that of its cell, or of one before it.
  markStale() {
    const shown = this.cells.filter(cell => cell instanceof ShownCell);
    for (const cell of shown) cell.isStale = cell.made.some((text, k) => text !== this.cells[k].text);
    for (const [k, cell] of shown.entries()) cell.showStale(shown.slice(k + 1).filter(later => later.isStale).length);
  }

  keep(cell, text) {
    kept.write(EDITED, { ...kept.read()[EDITED], [cell.number]: text });
  }

  async openInPlayground(last) {
    const cells = this.cells.slice(0, last.number + 1).filter(cell => !cell.raises || cell === last);
    const title = find("h1").firstChild.nextSibling?.textContent ?? document.title;
    const program = `# From "${title.trim()}"\n${cells.map(cell => cell.text.trim()).join("\n\n")}\n`;
    const address = new URL("index.html", PLAYGROUND);
    address.hash = `program=${await linked(program)}`;
    open(address);
  }

  start(cell) {
    if (this.waiting !== cell) this.waiting?.bar.start();
    this.waiting = cell;
    this.python ??= new Python(this.heard, PLAYGROUND);
  }

  // Run the stale cells after this one, until one cannot run.
  async runStale(changed) {
    for (const cell of this.cells.slice(changed.number + 1)) {
      if (cell.isStale) await this.run(cell);
      if (cell.isStale) return;
    }
  }

  // Run a cell, after the cells before it, from the first whose text has not run. These show what they give if it may be new.
  async run(cell) {
    if (this.running) return;
    this.start(cell);
    const began = performance.now();
    cell.bar.ask();
    cell.bar.show("running");
    const first = this.cells.findIndex(other => other.ran !== other.text), before = first < 0 ? [] : this.cells.slice(first, cell.number);
    for (const [k, other] of before.entries()) {
      cell.bar.say(`Cells before it run: ${k + 1} of ${before.length} …`);
      const isShown = other instanceof ShownCell, isNew = other.text !== other.source || other.isStale;
      const error = await this.attempt(other, isShown && isNew);
      if (this.mustStop(cell, error)) return;
      if (error && !other.raises) {
        if (!isShown) cell.fail(error);
        else if (!other.element.classList.contains("locked")) other.fail(error);
        return this.finish(cell, `${other.name[0].toUpperCase()}${other.name.slice(1)} raised an error, so this one did not run.`);
      }
    }
    cell.bar.say("The program runs …");
    const error = await this.attempt(cell, true);
    if (this.mustStop(cell, error)) return;
    this.finish(cell, `ran in ${((performance.now() - began) / 1000).toFixed(2)} s`);
    this.python?.warm();
    tellDone("run", all(".cell.live").indexOf(cell.element));
  }

  // Return whether the reader has stopped a cell, or it needs NumPy, which the page may fetch. Then all cells run anew with it.
  mustStop(cell, error) {
    if (error !== LACKS_NUMPY) return error === STOPPED;
    this.finish(cell, "");
    withNumpy(this.python, cell.bar, () => {
      for (const other of this.cells) other.ran = null;
      this.run(cell);
    });
    return true;
  }

  // Run one cell, and show what it gives if `shows` is set. Return its error, null, STOPPED if the reader has stopped it, or
  // LACKS_NUMPY: then its result stays.
  attempt(cell, shows) {
    const { text } = cell, before = shows ? [...cell.output.childNodes] : [];
    const texts = this.cells.slice(0, cell.number + 1).map(other => other.text);
    if (shows) cell.clear();
    return new Promise(resolve => {
      this.running = {
        resolve,
        print: printed => shows && cell.print(printed),
        ended: async ({ error, shown }) => {
          if (error?.numpy && (await this.python.numpyOffered())) {
            if (shows) cell.output.replaceChildren(...before);
            return resolve(LACKS_NUMPY);
          }
          if (cell.ran !== text) for (const later of this.cells.slice(cell.number + 1)) later.ran = null; // it may use what is new
          cell.ran = text;
          if (shows) {
            cell.made = texts;
            cell.showValue(shown);
            if (error) cell.fail(error);
          }
          resolve(error);
        },
      };
      this.python?.run({ kind: "cell", text, name: cell.name, shows });
    });
  }

  finish(cell, text) {
    this.running = null;
    cell.bar.show(cell.editor ? "open" : "closed");
    this.markStale();
    cell.bar.say(text);
  }

  stop() {
    this.renew("stopped");
  }

  renew(why) {
    const stopped = this.running?.resolve;
    for (const cell of this.cells) {
      cell.ran = null;
      if (!(cell instanceof ShownCell) || cell.bar.state === "closed") continue;
      if (cell.bar.state === "running") cell.print(`${why}\n`, "error");
      cell.bar.show(cell.editor ? "open" : "closed");
    }
    this.running = null;
    this.says({ text: "Python starts …" });
    this.python?.renew();
    stopped?.(STOPPED);
  }
}
