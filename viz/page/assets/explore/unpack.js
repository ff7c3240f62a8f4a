// Read the data of the page. Long data is compressed.

const { type, textContent } = find("#data");

async function unpacked() {
  if (type === "application/json") return JSON.parse(textContent);
  const bytes = Uint8Array.from(atob(textContent), letter => letter.charCodeAt(0));
  const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  return JSON.parse(text);
}
