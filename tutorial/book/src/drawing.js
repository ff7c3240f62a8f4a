// A drawing in the page, whose dark colours follow the theme of the site. WebKit does not tell it to an image. As in drawings_inside.py.

const DARK = /<style>@media \(prefers-color-scheme: dark\) \{(.*?)\}<\/style>/s;

export const inPage = svg =>
  svg.slice(svg.indexOf("<svg")).replace("<svg ", '<svg role="img" aria-label="drawing" ').replace(DARK, (_, rules) => {
    const where = theme => rules.replace(/[^{}]+\{/g, of => `body${theme} ${of}`);
    const site = where('[data-theme="dark"]'), system = where(':not([data-theme="light"])');
    return `<style>@media screen {${site}}@media screen and (prefers-color-scheme: dark) {${system}}</style>`;
  });
