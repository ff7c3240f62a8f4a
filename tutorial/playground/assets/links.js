// A link to the playground holds a program, compressed.

const squeezed = (text, stream) => new Response(new Blob([text]).stream().pipeThrough(stream)).arrayBuffer();

async function linked(text) {
  const bytes = new Uint8Array(await squeezed(text, new CompressionStream("deflate-raw")));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unlinked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), letter => letter.charCodeAt(0));
  return new TextDecoder().decode(await squeezed(bytes, new DecompressionStream("deflate-raw")));
}
