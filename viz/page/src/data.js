// The data of the page. Long data is compressed.

import { find } from "./dom.js";

export async function pageData() {
  const { type, textContent } = find("#data");
  return JSON.parse(type === "application/json" ? textContent : await unpacked(textContent));
}

// Return the text that base64 stands for. If the browser cannot unpack it, the page stays as it is without scripts.
function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}
