// The parts of Python: they stand in the page, or in scripts in the playground's folder. tutorial/playground/build.py writes them.

import { find } from "../../../viz/page/src/dom.js";
import { load } from "./load.js";
import { unpacked } from "./packing.js";

// Return the names of all parts, and the content of each.
export async function partsIn(folder) {
  const names = (await textOf("parts", folder)).split(" ");
  return { names, contents: await Promise.all(names.map(async name => unpacked(await textOf(name, folder)))) };
}

async function textOf(name, folder) {
  const element = find(`[data-part="${name}"]`);
  if (element) return element.textContent;
  const script = await load(`${name}.js`, folder); // which sets a property of its own element
  script.remove();
  return script.holds;
}
