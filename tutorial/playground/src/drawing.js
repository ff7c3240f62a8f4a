// A drawing or a picture in the page, whose dark colours follow the theme of the site. WebKit does not tell it to an image.
// As in finished_pages.py.

// A picture of one theme has no second part.
const STYLE = /<style>([^@]*?)(?:@media \(prefers-color-scheme: ?dark\) ?\{(.*?)\})?<\/style>/s
const OWN = /^.*?(?=<svg)|<!--.*?-->\n?|<title>[^<]*<\/title>\n?| (?:id|role)="[^"]*"/gs; // what a file says of itself
const LEAST = 11; // pixels: the size of the smallest letters

export function inPage(svg) {
  const drawing = svg.includes('pt" height');
  const look = drawing
    ? `aria-label="drawing" style="--least: ${leastWidthOf(svg)}px"`
    : `aria-label="${svg.match(/<title>([^<]*)/)?.[1]}" class="picture" preserveAspectRatio="xMidYMin slice"`;
  const own = svg.replace(OWN, "").replace(/<a xlink:title="([^"]*)">/g, "<g><title>$1</title>").replaceAll("</a>", "</g>");
  return themed(own, drawing ? "" : ".picture ").replace("<svg ", `<svg role="img" ${look} `);
}

// `scope` stands before each selector.
function themed(svg, scope) {
  const under = (where, rules) => rules.replace(/([^{}]+)(\{[^{}]*\})/g, (_, selectors, body) =>
    selectors.split(",").map(one => where + one).join() + body);
  return svg.replace(STYLE, (_, always, dark = "") => {
    const site = under(`body[data-theme="dark"] ${scope}`, dark), system = under(`body:not([data-theme="light"]) ${scope}`, dark);
    return `<style>${under(scope, always)}@media screen {${site}}@media screen and (prefers-color-scheme: dark) {${system}}</style>`;
  });
}

// How many pixels wide a drawing must be so that its smallest letters have the least size; 0 if it has none.
function leastWidthOf(svg) {
  const [, wide] = svg.match(/width="([\d.]+)pt"/);
  return Math.ceil((wide * LEAST) / Math.min(...[...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => +size)));
}
