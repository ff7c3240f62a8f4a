// The page around Python: the editor, run and stop, what the program printed, its graphs.

import { all, find, html } from "../../../viz/page/src/dom.js";
import { button } from "./button.js";
import { inPage } from "./drawing.js";
import { makeEditor, markLine } from "./editor.js";
import { keepProgram, keptProgram } from "./kept.js";
import { hostOf } from "./numpy.js";
import { linked, unlinked } from "./packing.js";
import { Python } from "./python.js";
import { tellTheme } from "./theme.js";

const NOTHING = find("#nothing").innerHTML;
const SAID = { ready: "Python is ready", runs: "The program runs …", starts: "Python starts …" };
const THEMES = ["auto", "light", "dark"];

const examples = JSON.parse(find("#example-programs").textContent);

const playground = {
  running: false,
  state: "starts",
  opens: true, // until Python is there for the first time
  trying: null, // the program with which an engine is compared at this moment
  shown: null, // the graph in the frame
  times: { began: 0, ran: 0 },
  editor: makeEditor(find("#editor"), () => run("run"), { lineNumbers: true, screenReaderLabel: "program" }),
  python: new Python(
    {
      ready,
      progress: ({ text }) => playground.running || say("starts", text),
      print: ({ text }) => print(text),
      trying: ({ text }) => (playground.trying = text),
      ended,
      page: showPage,
      absent: ({ text }) => say("absent", text),
      failed: ({ text }) => print(`${text}\n`, "error"),
      died({ text }) {
        playground.running = false;
        print(`Python has stopped (${text.split("\n")[0]}). A new Python starts; your text is as it was.\n`, "error");
        renew();
      },
    },
    location.href,
  ),
};
window.playground = playground; // for tests and for the curious

// The page opens with Figure 1 played. A program of the reader runs when the reader says so.
function ready() {
  if (playground.running) return;
  say("ready");
  offerNumpy();
  if (playground.opens && playground.editor.getValue() === examples[0].text) run("run");
  playground.opens = false;
}

// Where the page can fetch NumPy, a button says so.
async function offerNumpy() {
  const offer = await playground.python.numpyOffered();
  find("#numpy").hidden = !offer;
  if (offer) find("#numpy").title = `from ${hostOf(offer)}, once, a few megabytes; this browser keeps it. Then programs with arrays run.`;
}

async function fetchNumpy() {
  say("starts", "NumPy is fetched …");
  try {
    await playground.python.takeNumpy();
  } catch (error) {
    say("ready", /** @type {Error} */ (error).message);
  }
}

function say(state, text = SAID[state]) {
  playground.state = state;
  find("#state").textContent = text;
  find("#stop").disabled = state !== "runs";
}

const print = (text, kind = "") => find("#output").append(html("span", { class: kind }, text));

// `kind` is what the worker does with the program: run it, or compare the engine in it with the right one.
function run(kind) {
  if (playground.running) return;
  playground.trying = null;
  playground.running = true;
  playground.times.began = performance.now();
  find("#output").replaceChildren();
  markLine(playground.editor, null);
  say("runs");
  playground.python.run({ kind, text: playground.editor.getValue() });
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

function ended({ error, value, picture, graphs, checked }) {
  playground.running = false;
  playground.python.warm();
  playground.times.ran = performance.now() - playground.times.began;
  say("ready", `ran in ${(playground.times.ran / 1000).toFixed(2)} s`);
  if (value) print(`${value}\n`, "value");
  if (error) {
    print(`${error.text}\n`, "error");
    markLine(playground.editor, error.line);
  }
  find("#checked").textContent = checked ?? "";
  list(graphs, picture);
}

// Offer what the page can show: the drawing or the player that the last line gives, then the graphs. Show the first one.
function list(graphs, picture) {
  const views = graphs.map(name => [name, () => playground.python.ask({ kind: "page", name })]);
  if (picture?.html || picture?.svg) views.unshift(["the last line", () => showPicture(picture)]);
  const buttons = views.map(([name, show]) => button(name, {}, ({ target }) => {
    for (const other of buttons) other.setAttribute("aria-pressed", String(other === target));
    show();
  }));
  find("#graphs").replaceChildren(...buttons);
  if (buttons.length) return buttons[0].click();
  find("#nothing").innerHTML = NOTHING;
  lay("#nothing");
}

// Show one of the three things that may stand at the right.
function lay(shown) {
  for (const place of ["#player", "#picture", "#nothing"]) find(place).hidden = place !== shown;
}

function showPicture({ html: markup, svg }) {
  const box = find("#picture");
  box.innerHTML = markup ?? inPage(svg);
  for (const frame of all("iframe", box)) frame.addEventListener("load", () => tellTheme(frame));
  lay("#picture");
}

function showPage({ name, html: text, why }) {
  if (text) find("#player").srcdoc = text;
  else find("#nothing").textContent = why;
  lay(text ? "#player" : "#nothing");
  playground.shown = name;
}

// The text: from a link, kept from the last visit, or an example

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
  return keptProgram() ?? examples[0].text;
}

async function share() {
  const link = new URL(location.href);
  link.hash = `program=${await linked(playground.editor.getValue())}`;
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link.href);
    say(playground.state, "the link is copied");
  } catch {
    say(playground.state, "the link stands in the address bar");
  }
}

function listExamples() {
  for (const [k, { title, group }] of examples.entries()) {
    const last = find("#examples").lastElementChild;
    const place = last?.label === group ? last : html("optgroup", { label: group });
    find("#examples").append(place);
    place.append(new Option(title, String(k)));
  }
}

function changeTheme() {
  const chosen = THEMES[(THEMES.indexOf(document.body.dataset.theme ?? "") + 1) % THEMES.length];
  document.body.dataset.theme = chosen;
  find("#theme").textContent = `theme: ${chosen}`;
  tellTheme(find("#player"));
}

listExamples();
lay("#nothing");
find("#examples").addEventListener("change", ({ target }) => playground.editor.setValue(examples[target.value].text));
find("#run").addEventListener("click", () => run("run"));
find("#compare").addEventListener("click", () => run("compare"));
find("#stop").addEventListener("click", stop);
find("#numpy").addEventListener("click", fetchNumpy);
find("#share").addEventListener("click", share);
find("#theme").addEventListener("click", changeTheme);
find("#player").addEventListener("load", ({ target }) => tellTheme(target));
playground.editor.on("change", () => keepProgram(playground.editor.getValue()));
firstText().then(text => playground.editor.setValue(text));
