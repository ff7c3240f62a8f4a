"""What the tests do on a page of a chapter."""

from tests.browser.player import push


def uncovered(page):
    """Show what follows each question, as a reader can, and return the page."""
    while (note := page.locator(".cover-note")).count():
        push(note.get_by_role("button", name="show anyway"))
    return page


FLAWS = r"""() => {
  const article = document.querySelector("article"), found = {}, edge = document.documentElement.clientWidth;
  const add = (flaw, text) => (found[flaw] ??= new Set()).add(text.trim().slice(0, 60));
  const isShown = element => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
  const boxes = element => (element ? [element, ...boxes(element.parentElement)] : []);
  const inside = element => boxes(element).filter(box => box !== article && article.contains(box));
  const scrolls = element => inside(element).some(box => getComputedStyle(box).overflowX !== "visible");
  const place = document.createRange(), rectsOf = (node, from, to) => {
    place.setStart(node, from);
    place.setEnd(node, to);
    return [...place.getClientRects()].filter(rect => rect.width);
  };
  const colour = text => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const over = (above, below) => Object.fromEntries([..."rgb"].map(c => [c, above.a * above[c] + (1 - above.a) * below[c]]));
  const light = ({ r, g, b }) => [r, g, b].map(x => x / 255).map(x => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
    .reduce((sum, x, k) => sum + x * [0.2126, 0.7152, 0.0722][k], 0);
  const layersOf = element => boxes(element).map(box => colour(getComputedStyle(box).backgroundColor));
  const behind = element => layersOf(element).reduceRight((below, above) => over(above, below), { r: 255, g: 255, b: 255 });
  const opacityOf = element => boxes(element).reduce((all, box) => all * getComputedStyle(box).opacity, 1);
  if (document.documentElement.scrollWidth > edge) add("the page scrolls sideways", "");
  for (const element of article.querySelectorAll("*"))
    if (element.getBoundingClientRect().right > edge + 1 && !element.closest("svg *") && isShown(element) && !scrolls(element))
      add("wider than the page", `${element.localName} ${element.textContent}`);
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); ) {
    const text = node.data, parent = node.parentElement, { previousSibling: left, nextSibling: right } = node;
    const between = left instanceof Element && right instanceof Element && !parent.closest("svg, math, pre") && isShown(parent);
    if (between && !text.trim() && !rectsOf(node, 0, text.length).length) {
      const [end, start] = [[...left.getClientRects()].at(-1), right.getClientRects()[0]];
      const inline = [left, right].every(element => getComputedStyle(element).display.startsWith("inline"));
      if (inline && end && start && start.left >= end.right - 1 && start.top < end.bottom)
        add("a space lost", left.textContent + right.textContent);
    }
    if (!text.trim() || parent.closest("svg, math, script, style, .CodeMirror") || !isShown(parent)) continue;
    const style = getComputedStyle(parent), rects = rectsOf(node, 0, text.length);
    if (!rects.length) continue;
    const front = colour(style.color), ground = behind(parent), top = { ...front, a: front.a * opacityOf(parent) };
    const [dark, bright] = [light(over(top, ground)), light(ground)].sort((one, other) => one - other);
    if ((bright + 0.05) / (dark + 0.05) < 4.5) add("weak contrast", text);
    const marks = /^[.,;:!?)\]’”…]+/.exec(text);
    if (marks && node.previousSibling && !parent.closest("pre")) {
      const [mark] = rectsOf(node, 0, 1), before = node.previousSibling;
      place.selectNode(before);
      const last = [...place.getClientRects()].at(-1);
      if (mark && last && mark.top > last.bottom - 2) add("a line begins with a mark", before.textContent + text);
    }
    if (new Set(rects.map(rect => Math.round(rect.top))).size > 1)
      for (const { 0: word, index } of text.matchAll(/(?<!_)\b\p{L}{3,}\b(?!_)/gu)) { // a long name of code may break
        const tops = new Set(rectsOf(node, index, index + word.length).map(rect => Math.round(rect.top)));
        if (tops.size > 1 && style.hyphens !== "auto") add("a word broken", word);
      }
  }
  return Object.entries(found).flatMap(([flaw, texts]) => [...texts].map(text => `${flaw}: ${text}`));
}"""  # of a page, whose covers are lifted
