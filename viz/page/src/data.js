// The data of the page. Long data is compressed, and those of graphs stand by columns: viz/page/columns.py.

import { find } from "./dom.js";

export async function pageData() {
  const { type, textContent } = find("#data");
  return JSON.parse(type === "application/json" ? textContent : await unpacked(textContent));
}

// Return the text that letters of base 85 stand for, five for four bytes: columns.py. If the browser cannot unpack it, the page stays as
// it is without scripts.
function unpacked(letters) {
  const { length } = letters, view = new DataView(new ArrayBuffer(length + 3));
  for (let k = 0; k < length; k += 5) {
    let number = 0;
    for (let j = k; j < k + 5; j++) {
      const code = j < length ? letters.charCodeAt(j) : 125;
      number = 85 * number + code - (code > 60 ? 41 : 40);
    }
    view.setUint32((k / 5) * 4, number);
  }
  const bytes = view.buffer.slice(0, Math.floor((length * 4) / 5));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

// Return the data of a page, with the graphs that open in it in their places.
/** @returns {PageData} */
export function fromColumns(columns) {
  const graphs = [], graph = n => (graphs[n] ??= {});
  const placed = value => {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map(placed);
    return "graph" in value ? graph(value.graph) : Object.fromEntries(Object.entries(value).map(([key, part]) => [key, placed(part)]));
  };
  for (const [field, column] of Object.entries(columns))
    for (const [n, value] of column)
      if (field === "fields") graph(n).steps = stepsOf(value);
      else graph(n)[field] = /^(scalarGraphs|loops)$/.test(field) ? placed(value) : value;
  return graphs[0];
}

// Return steps of which each field stands alone, with null for a step that lacks it.
function stepsOf(fields) {
  const steps = [];
  for (const [field, values] of Object.entries(fields))
    values.forEach((value, k) => {
      steps[k] ??= {};
      if (value !== null) steps[k][field] = value;
    });
  return steps;
}
