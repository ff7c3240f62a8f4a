// Search by name, function, shape or scope, and by the path of scopes to it: layer3.2.conv2.

import { all, button, find, html } from "../dom.js";
import { isScope, scopeOf } from "../folding/model.js";

const MOST_FOUND = 40;
const greek = [ // the names of the letters from α on, as programs write them
  "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi", "omicron", "pi", "rho",
  "ς", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
];
const plain = text => text.toLowerCase().replace(/[₀-₉]/g, digit => digit.charCodeAt(0) - 0x2080)
  .replace(/[α-ω]/g, letter => greek[letter.charCodeAt(0) - 0x3b1]).replace(/(?<=\d)\s*[x*,]\s*(?=\d)/g, "×");

export class Search {
  input = find("#query");
  list = find("#found");

  constructor(model, go) {
    this.model = model;
    this.go = go;
    const named = (thing, name) => ({ thing, name: plain(name), path: plain([...this.around(thing), name].join(".")) });
    this.words = [
      ...model.scopes.map((scope, k) => ({ ...named(-1 - k, scope.name), rest: "", said: "scope" })).slice(1),
      ...model.nodes.map((node, v) => ({
        ...named(v, node.name), rest: plain([node.function ?? "", node.shape ?? ""].join(" ")),
        said: [node.function, node.shape].filter(Boolean).join(" ") || node.kind,
      })),
    ];
    this.input.addEventListener("input", () => this.update());
    find("#search").addEventListener("submit", event => { event.preventDefault(); find("button", this.list)?.click(); });
    find("#search").addEventListener("keydown", event => this.key(event));
  }

  // Return the names of the scopes around a thing, the outermost first.
  around(thing) {
    return (this.model.chains[this.model.around(thing)] ?? []).slice(1).map(scope => this.model.scopes[scope].name);
  }

  // Return the things that fit: those of this name or path first, then those whose name begins so.
  found(query) {
    const ranked = this.words.map(word => {
      const { name, path, rest } = word, isRest = rest.split(" ").includes(query);
      const fits = [
        name === query || path === query, name.startsWith(query), name.includes(query), isRest, rest.includes(query), path.includes(query),
      ];
      return { word, place: fits.indexOf(true) };
    });
    return ranked.filter(({ place }) => place >= 0).sort((a, b) => a.place - b.place).map(({ word }) => word);
  }

  update() {
    const query = plain(this.input.value.trim()), found = query ? this.found(query) : [];
    this.list.replaceChildren(...found.slice(0, MOST_FOUND).map(word => html("li", {}, this.button(word))));
    const more = found.length > MOST_FOUND, many = `${found.length.toLocaleString("en")} found, the first ${MOST_FOUND} are shown`;
    const said = more ? many : found.length ? `${found.length} found` : "nothing found";
    if (query) this.list.append(html("li", {}, html("p", { role: "status" }, said)));
  }

  button({ thing, said }) {
    const { nodes, scopes } = this.model, around = this.around(thing).join(" / ");
    return button(() => { this.close(); this.go(thing); }, {},
      isScope(thing) ? scopes[scopeOf(thing)].name : nodes[thing].name, " ",
      html("small", {}, [said, around].filter(Boolean).join(", in ")));
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") { this.close(); find("#view").focus(); }
    else if (step) {
      const stops = [this.input, ...all("button", this.list)];
      stops[stops.indexOf(document.activeElement) + step]?.focus();
      event.preventDefault();
    }
  }

  close() {
    this.input.value = "";
    this.update();
  }
}
