// Load files from the playground's folder. A page from a disk can load scripts and style sheets, and nothing else.

import { html } from "../../../viz/page/src/dom.js";

// Load a script or a style sheet, and return its element.
export function load(name, folder) {
  const address = new URL(name, folder);
  const element = name.endsWith(".css") ? html("link", { rel: "stylesheet", href: address }) : html("script", { src: address });
  return new Promise((resolve, reject) => {
    element.onload = () => resolve(element);
    element.onerror = () => reject(new Error(`the file ${name} is not in the folder of the playground`));
    document.head.append(element);
  });
}
