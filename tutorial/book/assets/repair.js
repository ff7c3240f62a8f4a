// A program to repair or to write: an editor in place of the listing, and a check in a Python of its own, which shows what is wrong.
// `seen` counts the mistakes: the first time the check observes and asks, then it tells the rule, then a hint.

class Repair {
  constructor(section, number) {
    const listing = section.querySelector(".highlight-python");
    Object.assign(this, { section, number, listing, given: listing.querySelector("pre").textContent.trimEnd(), seen: "{}" });
    Object.assign(this, JSON.parse(section.querySelector("script[type='application/json']").textContent)); // exercise, edit
    this.state = Object.assign(document.createElement("span"), { className: "live-state", role: "status" });
    this.edit = button(this.edit, "change this program and check it here", () => this.open());
    this.go = button("▶ check", "Ctrl-Enter", () => this.check());
    this.halt = button("stop", "end the check; your text stays", () => this.end("stopped"));
    this.reset = button("reset", "show the given program again", () => this.editor.setValue(this.given));
    this.bar = document.createElement("div");
    this.bar.className = "live-bar";
    this.bar.append(this.edit, this.go, this.halt, this.reset, this.state);
    this.found = document.createElement("div");
    this.found.className = "repair-found";
    listing.after(this.bar, this.found);
    this.show("closed");
  }

  show(state) {
    this.edit.hidden = state !== "closed";
    this.go.hidden = this.reset.hidden = state === "closed";
    this.halt.hidden = state !== "running";
    this.go.disabled = this.reset.disabled = state === "running";
  }

  async open() {
    try {
      await Promise.all([load("editor.css"), load("editor.js"), load("shared.js")]);
    } catch (error) {
      this.state.textContent = error.message;
      return;
    }
    const place = document.createElement("div");
    place.className = "live-editor";
    this.listing.before(place);
    const settings = { ...editorSettings(() => this.check()), viewportMargin: Infinity, screenReaderLabel: "your program" };
    this.editor = CodeMirror(place, { ...settings, value: this.given });
    this.editor.on("change", () => this.mark(null));
    this.listing.hidden = true;
    this.show("open");
    this.editor.focus();
    this.start();
  }

  // All exercises of a page share one Python, which is not that of the cells: a check leaves their names alone.
  start() {
    Repair.python ??= new Python({});
    Repair.python.heard = {
      progress: ({ text }) => this.say(text),
      ready: () => this.say("Python is ready"),
      absent: ({ text }) => this.say(text),
      ended: found => this.ended(found),
      page: ({ name, html }) => this.draw(name, html),
      failed: ({ text }) => this.end(text),
      died: ({ text }) => this.end(`Python has stopped (${text.split("\n")[0]})`),
    };
  }

  check() {
    if (this.go.disabled || this.mustPredict()) return;
    this.start();
    this.show("running");
    this.mark(null);
    this.say("The check runs …");
    Repair.python.run({ kind: "exercise", exercise: this.exercise, text: this.editor.getValue(), seen: this.seen });
  }

  // An exercise that asks for a number asks before the first check.
  mustPredict() {
    const form = this.section.querySelector("form.predict");
    if (!form || form.dataset.predicted) return false;
    this.say("First predict the number that is asked for above.");
    form.scrollIntoView({ block: "nearest" });
    form.elements.number.focus();
    return true;
  }

  ended({ state, title, said, line, graphs, seen }) {
    const right = state === "right";
    this.seen = seen;
    this.graphs = graphs;
    this.show("open");
    this.section.classList.toggle("is-right", right);
    this.say(right ? title : state === "wrong" ? "Not right yet" : title);
    this.found.replaceChildren();
    if (!graphs.length) this.write(said);
    else Repair.python.ask({ kind: "page", name: graphs[0] });
    this.mark(line);
    if (right) tellDone("repair", this.number);
    Repair.python.warm();
  }

  draw(name, html) {
    const frame = Object.assign(document.createElement("iframe"), { title: name, srcdoc: html });
    frame.sandbox = "allow-scripts";
    frame.addEventListener("load", themePlayers);
    addEventListener("message", ({ source, data }) => {
      if (source === frame.contentWindow && data?.height) frame.style.height = `${data.height + 4}px`;
    });
    this.found.append(frame);
    const next = this.graphs[this.graphs.indexOf(name) + 1];
    if (!next) return;
    const more = Object.assign(document.createElement("div"), { className: "live-bar" });
    const show = button(next, "your derivatives beside the right ones, to the first difference", () => {
      more.remove();
      Repair.python.ask({ kind: "page", name: next });
    });
    more.append(show);
    this.found.append(more);
  }

  write(text) {
    this.found.replaceChildren(Object.assign(document.createElement("p"), { className: "repair-said", textContent: text }));
  }

  end(why) {
    Repair.python.renew();
    this.show("open");
    this.say("");
    this.write(why);
  }

  mark(line) {
    if (this.marked) this.editor.removeLineClass(this.marked, "background", "wrong-line");
    this.marked = line && line <= this.editor.lineCount() ? this.editor.addLineClass(line - 1, "background", "wrong-line") : null;
  }

  say(text) {
    this.state.textContent = text;
  }
}

addEventListener("DOMContentLoaded", () => document.querySelectorAll(".repair").forEach((section, number) => new Repair(section, number)));
