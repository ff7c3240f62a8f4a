// Text that stands for bytes, compressed.

// Return the bytes of a part: gzip, in base 64.
export const unpacked = text => through(bytesOf(text), new DecompressionStream("gzip"));

// A link to the playground holds a program.
export async function linked(program) {
  const bytes = new Uint8Array(await through(program, new CompressionStream("deflate-raw")));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unlinked(text) {
  const bytes = bytesOf(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
}

const through = (content, stream) => new Response(new Blob([content]).stream().pipeThrough(stream)).arrayBuffer();

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const found = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k += 1) found[k] = letters.charCodeAt(k);
  return found;
}
