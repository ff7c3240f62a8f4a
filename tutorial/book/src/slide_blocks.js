// Which blocks of a chapter a slide shows. The blocks of the page fill slides from top to bottom. A paragraph that only the reader needs is
// left out. A player has a slide of its own, and so has an exercise, and a result that does not fit below its code.

import { all, find } from "../../../viz/page/src/dom.js";

export const ALONE = ".cell:has(iframe), iframe"; // blocks that fill a slide
const EXERCISE = "section.exercise"; // fills a slide, in two columns, below the sentence that introduces it
const LONG = 24; // lines of a program; a longer one may go on in the second column
const BLOCKS = "h1, h2, h3, p, ul, ol, dl, table, figure, form, details, div, iframe, blockquote";
const ROOM = 0.8, MOST = 1; // heights of a screen that blocks fill, and that a question with its answer or a cell may fill at most

// Return the blocks of a part in their order, those of the parts within it included.
export function blocksOf(part) {
  const isPart = element => element.matches("section") && !element.matches(EXERCISE);
  const isBlock = element => element.matches(`${BLOCKS}, ${EXERCISE}`);
  return [...part.children].flatMap(element => (isPart(element) ? blocksOf(element) : isBlock(element) ? [element] : []));
}

// Return the slides as lists of blocks. Each begins with a heading. A block that does not fit begins the next slide, a question always
// does, and the cell that answers it stays with it if there is room. A cell that is too high becomes its code and its result.
export function divide() {
  const blocks = blocksOf(find("article")), division = new Division();
  for (const block of all(".slide-block")) block.classList.remove("slide-block");
  let before;
  for (let k = 0; k < blocks.length; k++) {
    const block = blocks[k], parts = partsOf(block);
    block.classList.add("slide-block");
    const reading = isReading(block, before, blocks[k + 1]);
    if (!block.matches(".ways")) before = block;
    if (reading || !block.offsetHeight) continue;
    if (parts.length > 1 && (isCramped(block) || division.isTooHigh(block))) {
      block.classList.remove("slide-block");
      blocks.splice(k--, 1, ...parts);
    } else {
      division.place(block);
    }
  }
  return division.slides.filter(shown => shown.some(block => !block.matches("h1, h2, h3")));
}

class Division {
  slides = [];
  /** @type {HTMLElement[] | null} */
  current = null; // the slide that is being filled, if any
  /** @type {HTMLElement | null} */
  heading = null;
  used = 0; // pixels of the current slide
  asks = false; // the last block is a question, or the code that follows one
  room = innerHeight * ROOM;
  most = innerHeight * MOST;

  place(block) {
    if (block.matches("h1, h2")) {
      this.heading = block;
      this.begin();
    } else if (block.matches(ALONE)) {
      this.giveASlide(block, null, "h1, h2, p"); // what introduces a player is for reading
    } else if (block.matches(EXERCISE)) {
      block.classList.toggle("long-program", find(":scope > [class*='highlight'] pre", block)?.textContent.split("\n").length > LONG);
      this.giveASlide(block, this.takeSaid(block), "h1, h2");
    } else {
      this.fill(block);
    }
  }

  begin() {
    this.slides.push((this.current = this.heading ? [this.heading] : []));
    this.used = this.heading?.offsetHeight ?? 0;
  }

  add(block) {
    this.current?.push(block);
    this.used += block.offsetHeight;
  }

  // Return the block that stays with this one, because it introduces it.
  saidBefore(block) {
    const last = this.current?.at(-1);
    return !this.asks && introduces(last, block) ? last : null;
  }

  takeSaid(block) {
    const said = this.saidBefore(block);
    if (said) this.current?.pop();
    return said;
  }

  // Give a block a slide of its own, with what introduces it, if anything. A slide before it of nothing but `only` is dropped.
  giveASlide(block, said, only) {
    if (this.current?.every(shown => shown.matches(only))) this.slides.pop();
    this.slides.push([said, block].filter(Boolean));
    this.current = null;
  }

  fill(block) {
    const asked = block.matches("form.predict"), isFull = this.used + block.offsetHeight > (this.asks ? this.most : this.room);
    if (!this.current || (this.current.length > 1 && (isFull || (!this.asks && asked)))) {
      const said = this.takeSaid(block);
      this.begin();
      if (said) this.add(said);
    }
    this.add(block);
    this.asks = asked || (this.asks && block.matches(".cell_input"));
  }

  isTooHigh(cell) {
    const above = this.asks ? this.used : (this.heading?.offsetHeight ?? 0) + (this.saidBefore(cell)?.offsetHeight ?? 0);
    return cell.offsetHeight + above > this.most;
  }
}

// Return whether a block is only for reading: a paragraph that is neither the first of its part, nor introduces or defines anything.
function isReading(block, before, after) {
  if (block.matches(".reading, .ways, .go-on, .cover-note")) return true;
  return block.matches("p") && !find("img, svg", block) && !before?.matches("h1, h2, h3") && !introduces(block, after) && !defines(block);
}

// Return whether a paragraph introduces what follows it. A prediction needs the paragraph before it, and a formula its sentence.
const introduces = (block, after) => block?.matches("p") && (/:\s*$/.test(block.textContent) || after?.matches("form.predict, div.math"));
const defines = block => find("strong", block) || all("math", block).some(math => /[=←]/.test(math.textContent));

// Return the code and the result of a cell that shows both.
const partsOf = block =>
  block.matches(".cell") ? [...block.children].filter(part => part.matches(".cell_input, .cell_output") && part.offsetHeight) : [];

// Return whether a drawing of a cell is so small beside its code that its letters cannot be read. finished_pages.py writes what it needs.
const isCramped = cell => all("svg.auto", cell).some(drawing => {
  const least = parseFloat(drawing.style.getPropertyValue("--least")) * (innerHeight / 720);
  const seen = drawing.getBoundingClientRect(), { width, height } = drawing.viewBox.baseVal;
  return Math.min(seen.width, (seen.height * width) / height) < least;
});
