// The page around Python: the editor, run and stop, what the program printed, its graphs.

const find = id => document.getElementById(id);
const NOTHING = find("nothing").innerHTML;

const playground = { running: false, state: "starts", times: {} };
window.playground = playground; // for tests and for the curious

function say(state, text = { ready: "Python is ready", runs: "The program runs …", starts: "Python starts …" }[state]) {
  playground.state = state;
  find("state").textContent = text;
  find("stop").disabled = state !== "runs";
}

function print(text, kind = "") {
  const line = document.createElement("span");
  line.className = kind;
  line.textContent = text;
  find("output").append(line);
}

const heard = {
  ready: () => playground.running || say("ready"),
  progress: ({ text }) => playground.running || say("starts", text),
  print: ({ text }) => print(text),
  trying: ({ text }) => (playground.trying = text),
  ended({ error, value, graphs, checked }) {
    playground.running = false;
    playground.python.warm();
    playground.times.ran = performance.now() - playground.times.began;
    say("ready", `ran in ${(playground.times.ran / 1000).toFixed(2)} s`);
    if (value) print(value + "\n", "value");
    if (error) {
      print(error.text + "\n", "error");
      if (error.line) editor.addLineClass(error.line - 1, "background", "wrong-line");
    }
    find("checked").textContent = checked ?? "";
    list(graphs);
    if (graphs.length) show(graphs[0]);
  },
  page({ name, html, why }) {
    if (html) find("player").srcdoc = html;
    else find("nothing").textContent = why;
    find("player").hidden = !html;
    find("nothing").hidden = Boolean(html);
    playground.shown = name;
  },
  absent: ({ text }) => say("absent", text),
  failed: ({ text }) => print(text + "\n", "error"),
  died({ text }) {
    playground.running = false;
    print(`Python has stopped (${text.split("\n")[0]}). A new Python starts; your text is as it was.\n`, "error");
    renew();
  },
};

// `kind` is what the worker does with the program: run it, or compare the engine in it with the right one.
function run(kind) {
  if (playground.running) return;
  playground.trying = null;
  playground.running = true;
  playground.times.began = performance.now();
  find("output").replaceChildren();
  for (let k = 0; k < editor.lineCount(); k += 1) editor.removeLineClass(k, "background", "wrong-line");
  say("runs");
  playground.python.run({ kind, text: editor.getValue() });
}

function stop() {
  playground.running = false;
  print(playground.trying ? `stopped while the engine ran this program:\n${playground.trying}\n` : "stopped\n", "error");
  renew();
}

function renew() {
  say("starts");
  playground.python.renew();
}

function list(graphs) {
  find("graphs").replaceChildren(
    ...graphs.map(name => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", () => show(name));
      return button;
    }),
  );
  if (!graphs.length) {
    find("nothing").innerHTML = NOTHING;
    find("player").hidden = true;
    find("nothing").hidden = false;
  }
}

function show(name) {
  for (const button of find("graphs").children) button.setAttribute("aria-pressed", String(button.textContent === name));
  playground.python.ask({ kind: "page", name });
}

// The text: kept through a reload, shared as a link, replaced by an example

const KEPT = "gradsteps.playground";
const kept = {
  read() {
    try {
      return sessionStorage.getItem(KEPT) ?? localStorage.getItem(KEPT);
    } catch {
      return null; // this browser keeps nothing for files
    }
  },
  write(text) {
    try {
      sessionStorage.setItem(KEPT, text);
      localStorage.setItem(KEPT, text);
    } catch {}
  },
};

const examples = JSON.parse(find("example-programs").textContent);
const editor = CodeMirror(find("editor"), { ...editorSettings(() => run("run")), lineNumbers: true, screenReaderLabel: "program" });
playground.editor = editor;

async function firstText() {
  const asked = new URLSearchParams(location.hash.slice(1)), program = asked.get("program");
  if (program) {
    try {
      return await unlinked(program);
    } catch {
      print("The program in this link cannot be read; it may be cut off.\n", "error");
    }
  }
  if (asked.has("engine")) return examples.find(({ group }) => group !== examples[0].group).text;
  return kept.read() ?? examples[0].text;
}

async function share() {
  const link = new URL(location.href);
  link.hash = `program=${await linked(editor.getValue())}`;
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link.href);
    say(playground.state, "the link is copied");
  } catch {
    say(playground.state, "the link stands in the address bar");
  }
}

function theme() {
  const order = ["auto", "light", "dark"];
  const chosen = order[(order.indexOf(document.body.dataset.theme) + 1) % order.length];
  document.body.dataset.theme = chosen;
  find("theme").textContent = `theme: ${chosen}`;
  themePlayer();
}

const themePlayer = () => find("player").contentWindow?.postMessage({ theme: document.body.dataset.theme }, "*");

for (const [k, { title, group }] of examples.entries()) {
  const last = find("examples").lastElementChild;
  const place = last?.label === group ? last : Object.assign(document.createElement("optgroup"), { label: group });
  find("examples").append(place);
  place.append(new Option(title, k));
}
find("examples").addEventListener("change", ({ target }) => editor.setValue(examples[target.value].text));
find("run").addEventListener("click", () => run("run"));
find("compare").addEventListener("click", () => run("compare"));
find("stop").addEventListener("click", stop);
find("share").addEventListener("click", share);
find("theme").addEventListener("click", theme);
find("player").hidden = true;
find("player").addEventListener("load", themePlayer);
editor.on("change", () => kept.write(editor.getValue()));
firstText().then(text => editor.setValue(text));
playground.python = new Python(heard);
