// Search by name, function, shape or scope.

import { all, find, html } from "../dom.js";
import { isScope, scopeOf } from "../folding/model.js";

const MOST_FOUND = 40;
const plain = text => text.toLowerCase().replace(/[₀-₉]/g, digit => digit.charCodeAt(0) - 0x2080).replace(/(?<=\d)\s*[x*,]\s*(?=\d)/g, "×");

export class Search {
  input = find("#query");
  list = find("#found");

  constructor(model, go) {
    this.model = model;
    this.go = go;
    this.words = [
      ...model.scopes.map((scope, k) => ({ thing: -1 - k, name: plain(scope.name), rest: "", said: "scope" })).slice(1),
      ...model.nodes.map((node, v) => ({
        thing: v, name: plain(node.name), rest: plain([node.function ?? "", node.shape ?? ""].join(" ")),
        said: [node.function, node.shape].filter(Boolean).join(" ") || node.kind,
      })),
    ];
    this.input.addEventListener("input", () => this.update());
    find("#search").addEventListener("submit", event => { event.preventDefault(); find("button", this.list)?.click(); });
    find("#search").addEventListener("keydown", event => this.key(event));
  }

  // Return the things that fit: those of this name first, then those whose name begins so.
  found(query) {
    const rank = ({ name, rest }) =>
      name === query
        ? 0
        : name.startsWith(query)
          ? 1
          : name.includes(query)
            ? 2
            : rest.split(" ").includes(query)
              ? 3
              : rest.includes(query)
                ? 4
                : null;
    return this.words.map(word => [rank(word), word]).filter(([place]) => place !== null).sort(([a], [b]) => a - b).map(([, word]) => word);
  }

  update() {
    const query = plain(this.input.value.trim()), found = query ? this.found(query) : [];
    this.list.replaceChildren(...found.slice(0, MOST_FOUND).map(word => html("li", {}, this.button(word))));
    if (query)
      this.list.append(
        html("li", {},
          html("p", { role: "status" },
            found.length > MOST_FOUND
              ? `${found.length.toLocaleString("en")} found, the first ${MOST_FOUND} are shown`
              : found.length
                ? `${found.length} found`
                : "nothing found")),
      );
  }

  button({ thing, said }) {
    const { nodes, scopes, chains } = this.model;
    const around = chains[this.model.around(thing)].slice(1).map(scope => scopes[scope].name).join(" / ");
    const button = html("button", { type: "button" },
      isScope(thing) ? scopes[scopeOf(thing)].name : nodes[thing].name, " ",
      html("small", {}, [said, around].filter(Boolean).join(", in ")));
    button.addEventListener("click", () => { this.close(); this.go(thing); });
    return button;
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
