"""Go through the slides of an open chapter, and list what an audience could not see or read. Knows nothing of how slides are made."""

LETTERS, LETTERS_OF_PICTURES = 11, 8  # pixels in a window of 1280 × 720, which is what a projector shows at least
WALK = """([letters, inPictures]) => {
  const press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const article = document.querySelector("article"), bar = () => document.querySelector(".slide-bar").getBoundingClientRect().top;
  const scale = innerHeight / 720;
  const brief = element => `${element.tagName.toLowerCase()} "${(element.textContent || element.alt || "").trim().slice(0, 40)}"`;
  const isShown = element => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length;
  const textsIn = block => {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT), found = new Set();
    while (walker.nextNode()) if (walker.currentNode.data.trim()) found.add(walker.currentNode.parentElement);
    return [...found].filter(isShown);
  };
  const sizeOf = element => {
    const size = parseFloat(getComputedStyle(element).fontSize);
    return element.ownerSVGElement ? size * element.getScreenCTM().a : size * Number(article.style.zoom || 1);
  };
  const sizeInPicture = image => {
    const least = parseFloat(image.style.getPropertyValue("--least")), { width, height } = image.getBoundingClientRect();
    return least ? (11 * Math.min(width, (height * image.naturalWidth) / image.naturalHeight)) / least : Infinity;
  };
  const isSmallOnPurpose = element => element.closest("sub, sup, math, .tag, .mn, .live-bar, button, .exercise-check");

  function problems() {
    const shown = [...document.querySelectorAll(".on-slide")], found = [], root = document.documentElement;
    if (document.body.matches(".player-slide")) {
      const { left, top, right, bottom } = shown[0].querySelector("iframe")?.getBoundingClientRect() ?? shown[0].getBoundingClientRect();
      return left < 0 || top < 0 || right > innerWidth + 1 || bottom > bar() + 1 ? ["the player does not fill the window"] : [];
    }
    if (root.scrollHeight > innerHeight) found.push(`scrolls down to ${root.scrollHeight} of ${innerHeight} pixels`);
    if (root.scrollWidth > innerWidth) found.push(`scrolls right to ${root.scrollWidth} of ${innerWidth} pixels`);
    for (const block of shown) {
      const isInside = part => part.closest("math, svg svg, .sd-summary-content");
      const parts = [block, ...block.querySelectorAll("*")].filter(part => !isInside(part) && isShown(part));
      for (const part of parts) {
        const { left, right, top, bottom } = part.getBoundingClientRect(), { overflowX, overflowY } = getComputedStyle(part);
        if (part.ownerSVGElement || !part.clientWidth) continue;
        if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > bar() + 1) found.push(`outside of the slide: ${brief(part)}`);
        const cut = (whole, seen, how) => how !== "visible" && whole > seen + 1;
        const cutAway = cut(part.scrollWidth, part.clientWidth, overflowX) || cut(part.scrollHeight, part.clientHeight, overflowY);
        if (cutAway) found.push(`cut off: ${brief(part)}`);
      }
      for (const text of textsIn(block).filter(text => !isSmallOnPurpose(text))) {
        const size = sizeOf(text) / scale, least = text.ownerSVGElement ? inPictures : letters;
        if (size < least) found.push(`letters of ${size.toFixed(1)} pixels: ${brief(text)}`);
      }
      for (const image of [...block.querySelectorAll("img")].filter(isShown)) {
        const size = sizeInPicture(image) / scale;
        if (size < inPictures) found.push(`letters of ${size.toFixed(1)} pixels in a picture: ${image.src.slice(-20)}`);
      }
    }
    return found;
  }

  press("s");
  const said = () => document.querySelector(".slide-bar output").textContent;
  while (said().split(" ")[1] !== "1") press("PageUp");
  const last = Number(said().split(" ").at(-1)), wrong = {}, exercises = [];
  for (let k = 0; k < last; k++, press("PageDown")) {
    const found = problems();
    if (found.length) wrong[said()] = found.slice(0, 4);
    exercises.push(...[...document.querySelectorAll(".on-slide")].map(block => block.closest(".exercise")?.id).filter(Boolean));
  }
  press("Escape");
  return { last, wrong, exercises };
}"""


def walk(page, letters=LETTERS, in_pictures=LETTERS_OF_PICTURES):
    """Return the number of slides, {slide: what is wrong with it}, and the exercise of each slide that shows a part of one."""
    found = page.evaluate(WALK, [letters, in_pictures])
    return found["last"], found["wrong"], found["exercises"]
