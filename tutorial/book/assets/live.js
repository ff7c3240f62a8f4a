// Cells of a live chapter: the reader edits and runs them in the playground's Python, which the page starts at the first use.
// A cell runs after those before it, hidden ones included, whose present text has not run. All share their names.

const PLAYGROUND = new URL(`${document.documentElement.dataset.content_root}playground/`, location.href);
const EDITED = location.pathname.split("/").pop() + TYPED; // what is kept: {number of a cell: its text}

const live = { cells: [], python: null, running: null }; // running: what to do with the messages of the cell that runs
window.live = live; // for tests and for the curious

const loaded = new Map();
function load(name) {
  if (!loaded.has(name)) {
    loaded.set(
      name,
      new Promise((resolve, reject) => {
        const element = document.createElement(name.endsWith(".css") ? "link" : "script");
        Object.assign(element, { onload: resolve, onerror: () => reject(new Error(`the file playground/${name} is missing`)) });
        Object.assign(element, name.endsWith(".css") ? { rel: "stylesheet", href: new URL(name, PLAYGROUND) } : { src: new URL(name, PLAYGROUND) });
        document.head.append(element);
      }),
    );
  }
  return loaded.get(name);
}

function button(text, title, press) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, title });
  made.addEventListener("click", press);
  return made;
}

class LiveCell {
  constructor({ source, raises }, number, element) {
    Object.assign(this, { source, raises, number, element, ran: null });
    this.name = "a cell that is not shown";
    if (element) this.offer();
  }

  get text() {
    return this.editor?.getValue() ?? this.kept ?? this.source;
  }

  offer() {
    const shown = live.cells.filter(cell => cell.element).length;
    this.name = `cell ${shown + 1}`;
    this.kept = kept.read()[EDITED]?.[this.number];
    this.code = this.element.querySelector(".cell_input");
    this.output = this.element.querySelector(".cell_output") ?? document.createElement("div");
    this.output.className = "cell_output docutils container";
    this.recorded = [...this.output.childNodes];
    this.state = Object.assign(document.createElement("span"), { className: "live-state", role: "status" });
    this.edit = button("edit and run", "change this program and run it here", () => this.open());
    this.go = button("▶ run", "Ctrl-Enter", () => run(this));
    this.halt = button("stop", "end the program; your text stays", stop);
    this.reset = button("reset", "show the book's program and its result again", () => this.restore());
    const link = Object.assign(document.createElement("a"), { href: new URL("index.html", PLAYGROUND), textContent: "open in playground" });
    link.title = "the program of this page up to here, in a page of its own";
    link.addEventListener("click", event => {
      event.preventDefault();
      openInPlayground(this.number);
    });
    this.bar = document.createElement("div");
    this.bar.className = "live-bar";
    this.bar.append(this.edit, this.go, this.halt, this.reset, this.state, link);
    this.code.after(this.bar, this.output);
    this.show("closed");
    if (this.kept !== undefined) this.open(false).then(() => this.say("This is your text. The result is the book's until you run it."));
  }

  show(state) {
    this.edit.hidden = state !== "closed";
    this.go.hidden = this.reset.hidden = state === "closed";
    this.halt.hidden = state !== "running";
    this.go.disabled = this.reset.disabled = state === "running";
  }

  say(text) {
    this.state.textContent = text;
  }

  async open(byReader = true) {
    this.show("open");
    try {
      await Promise.all([load("editor.css"), load("editor.js"), load("shared.js")]);
    } catch (error) {
      return this.say(error.message);
    }
    if (this.editor) return;
    const place = document.createElement("div");
    place.className = "live-editor";
    this.code.before(place);
    const settings = { ...editorSettings(() => run(this)), viewportMargin: Infinity, screenReaderLabel: `program of ${this.name}` };
    this.editor = CodeMirror(place, { ...settings, value: this.text });
    this.editor.on("change", () => {
      keep(this.number, this.text === this.source ? undefined : this.text);
      this.mark(null);
    });
    this.code.hidden = true;
    if (byReader) {
      this.editor.focus();
      start(this);
    }
  }

  restore() {
    keep(this.number, undefined);
    this.editor?.getWrapperElement().parentNode.remove();
    this.editor = this.kept = undefined;
    this.code.hidden = false;
    this.output.replaceChildren(...this.recorded);
    this.say("");
    this.show("closed");
    this.edit.focus();
  }

  mark(line) {
    if (this.marked) this.editor?.removeLineClass(this.marked, "background", "wrong-line");
    this.marked = line && this.editor ? this.editor.addLineClass(line - 1, "background", "wrong-line") : null;
  }

  clear() {
    this.output.replaceChildren();
    this.printed = null;
    this.mark(null);
  }

  print(text, kind = "stream") {
    if (this.printed?.dataset.kind !== kind) {
      const box = document.createElement("div");
      box.className = `output ${kind} highlight-none notranslate`;
      box.innerHTML = '<div class="highlight"><pre></pre></div>';
      this.printed = box.querySelector("pre");
      this.printed.dataset.kind = kind;
      this.output.append(box);
    }
    this.printed.append(text);
  }

  showValue({ html, svg, text }) {
    if (text !== undefined) return this.print(`${text}\n`, "text_plain");
    if (html === undefined && svg === undefined) return;
    const box = document.createElement("div");
    box.className = "output text_html";
    if (html) box.innerHTML = html;
    else box.append(Object.assign(document.createElement("img"), { alt: "drawing", src: `data:image/svg+xml,${encodeURIComponent(svg)}` }));
    box.querySelector("iframe")?.addEventListener("load", themePlayers);
    this.output.append(box);
  }

  fail({ text, line }) {
    this.print(`${text}\n`, "error");
    this.mark(line);
  }
}

function keep(number, text) {
  kept.write(EDITED, { ...kept.read()[EDITED], [number]: text });
}

async function openInPlayground(number) {
  await load("shared.js");
  const cells = live.cells.slice(0, number + 1).filter(cell => !cell.raises || cell.number === number);
  const title = document.querySelector("h1").firstChild.nextSibling?.textContent ?? document.title;
  const program = `# From the chapter "${title.trim()}"\n${cells.map(cell => cell.text.trim()).join("\n\n")}\n`;
  const address = new URL("index.html", PLAYGROUND);
  address.hash = `program=${await linked(program)}`;
  open(address);
}

// Python: one for all cells of the page

async function start(cell) {
  await load("shared.js");
  live.waiting = cell;
  live.python ??= new Python({
    progress: ({ text }) => live.waiting?.say(text),
    ready: () => live.running || live.waiting?.say("Python is ready"),
    absent: ({ text }) => live.waiting?.say(text),
    print: ({ text }) => live.running?.print(text),
    ended: message => live.running?.ended(message),
    failed: ({ text }) => live.running?.ended({ error: { text, line: null }, shown: {} }),
    died: ({ text }) => renew(`Python has stopped (${text.split("\n")[0]}). A new Python starts; your text is as it was.`),
  });
}

// Run a cell, after the cells before it whose text has not run. These show what they give only if the reader has changed them.
async function run(cell) {
  if (live.running || !cell.editor) return;
  const began = performance.now();
  live.running = { print: () => {}, ended: () => {} };
  cell.show("running");
  await start(cell);
  const before = live.cells.slice(0, cell.number).filter(other => other.ran !== other.text);
  for (const [k, other] of before.entries()) {
    cell.say(`The cells before it run first: ${k + 1} of ${before.length} …`);
    const error = await attempt(other, Boolean(other.element && other.text !== other.source));
    if (error === stop) return;
    if (error && !other.raises) {
      if (!other.element) cell.fail(error);
      else if (!other.element.classList.contains("locked")) other.fail(error);
      return finish(cell, `${other.name[0].toUpperCase()}${other.name.slice(1)} raised an error, so this one did not run.`);
    }
  }
  cell.say("The program runs …");
  const error = await attempt(cell, true);
  if (error === stop) return;
  finish(cell, `ran in ${((performance.now() - began) / 1000).toFixed(2)} s`);
  live.python.warm();
  tellDone("run", [...document.querySelectorAll(".cell.live")].indexOf(cell.element));
}

// Run one cell, and show what it gives if `shows` is set. Return its error, null, or `stop` if the reader has stopped it.
function attempt(cell, shows) {
  if (shows) cell.clear();
  const { text } = cell;
  return new Promise(resolve => {
    live.running = {
      cell,
      resolve,
      print: printed => shows && cell.print(printed),
      ended({ error, shown }) {
        cell.ran = text;
        if (shows) {
          cell.showValue(shown);
          if (error) cell.fail(error);
        }
        resolve(error);
      },
    };
    live.python.run({ kind: "cell", text, name: cell.name, shows });
  });
}

function finish(cell, text) {
  live.running = null;
  cell.show("open");
  cell.say(text);
}

const stop = () => renew("stopped");

function renew(why) {
  const stopped = live.running?.resolve;
  for (const cell of live.cells) {
    cell.ran = null;
    if (cell.go?.hidden === false) {
      if (cell.go.disabled) cell.print(`${why}\n`, "error");
      cell.show("open");
    }
  }
  live.running = null;
  live.waiting?.say("Python starts …");
  live.python.renew();
  stopped?.(stop);
}

addEventListener("DOMContentLoaded", () => {
  const sources = document.getElementById("cells");
  if (!sources) return;
  const shown = [...document.querySelectorAll(".cell")].filter(cell => cell.querySelector(":scope > .cell_input"));
  for (const form of document.querySelectorAll("form.predict:not(.number)")) cellAfter(form)?.classList.add("live"); // these runs are counted as done
  for (const [number, cell] of JSON.parse(sources.textContent).entries()) live.cells.push(new LiveCell(cell, number, cell.shown ? shown.shift() : null));
});
