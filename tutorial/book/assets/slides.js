// Slides of a chapter: one part at a time, as large as a room needs. The blocks of the page fill slides from top to bottom.
// A paragraph that only the reader needs is left out. A player has a slide of its own, and so has an exercise, and a result that does
// not fit below its code. #slides=3 in the address opens slide 3.
// A file that holds only this chapter opens as slides.

(() => {
  const ALONE = ".cell:has(iframe), iframe"; // blocks that fill a slide
  const EXERCISE = "section.exercise"; // fills a slide, in two columns, below the sentence that introduces it
  const LONG = 24; // lines of a program; a longer one may go on in the second column
  const BLOCKS = "h1, h2, h3, p, ul, ol, dl, table, figure, form, details, div, iframe, blockquote";
  const ROOM = 0.8, MOST = 1; // heights of a screen that blocks fill, and that a question with its answer or a cell may fill at most
  const FORWARD = ["ArrowRight", "PageDown"], BACK = ["ArrowLeft", "PageUp"];
  const WRITES = "textarea, select, [contenteditable], [role=textbox], input:not([type=radio])";

  let slides = [], slide = -1, bar;
  const presenting = () => slide >= 0;

  // Return the blocks of a part in their order, those of the parts within it included.
  function blocksOf(part) {
    const isPart = element => element.matches("section") && !element.matches(EXERCISE);
    return [...part.children].flatMap(element => (isPart(element) ? blocksOf(element) : element.matches(`${BLOCKS}, ${EXERCISE}`) ? [element] : []));
  }

  // Return whether a block is only for reading: a paragraph that is neither the first of its part, nor introduces or defines anything.
  function isReading(block, before, after) {
    if (block.matches(".reading, .ways, .go-on")) return true;
    return block.matches("p") && !block.querySelector("img, svg") && !before?.matches("h1, h2, h3") && !introduces(block, after) && !defines(block);
  }

  // Return whether a paragraph introduces what follows it. A prediction needs the paragraph before it, and a formula its sentence.
  const introduces = (block, after) => block?.matches("p") && (/:\s*$/.test(block.textContent) || after?.matches("form.predict, div.math"));
  const defines = block => block.querySelector("strong") || [...block.querySelectorAll("math")].some(math => /[=←]/.test(math.textContent));

  // Return the slides as lists of blocks. Each begins with a heading. A block that does not fit begins the next slide, a question always
  // does, and the cell that answers it stays with it if there is room. A cell that is too high becomes its code and its result.
  function divide() {
    const room = innerHeight * ROOM, most = innerHeight * MOST, found = [];
    let heading, current, used, before, asks = false;
    const begin = () => {
      found.push((current = [heading].filter(Boolean)));
      used = heading?.offsetHeight ?? 0;
    };
    const add = block => {
      current.push(block);
      used += block.offsetHeight;
    };
    const saidBefore = block => (!asks && introduces(current?.at(-1), block) ? current.at(-1) : null); // stays with what it introduces
    const blocks = blocksOf(document.querySelector("article"));
    for (const block of document.querySelectorAll(".slide-block")) block.classList.remove("slide-block");
    for (let k = 0; k < blocks.length; k++) {
      const block = blocks[k], parts = partsOf(block);
      block.classList.add("slide-block");
      const reading = isReading(block, before, blocks[k + 1]), height = block.offsetHeight;
      if (!block.matches(".ways")) before = block;
      if (reading || !height) continue;
      if (parts.length > 1 && (isCramped(block) || height + (asks ? used : (heading?.offsetHeight ?? 0) + (saidBefore(block)?.offsetHeight ?? 0)) > most)) {
        block.classList.remove("slide-block");
        blocks.splice(k--, 1, ...parts);
        continue;
      }
      if (block.matches("h1, h2")) {
        heading = block;
        begin();
        continue;
      }
      if (block.matches(ALONE)) {
        if (current?.every(shown => shown.matches("h1, h2, p"))) found.pop(); // what introduces a player is for reading
        found.push([block]);
        current = null;
        continue;
      }
      if (block.matches(EXERCISE)) {
        const said = saidBefore(block), program = block.querySelector(":scope > [class*='highlight'] pre");
        block.classList.toggle("long-program", program?.textContent.split("\n").length > LONG);
        if (said) current.pop();
        if (current?.every(shown => shown.matches("h1, h2"))) found.pop();
        found.push([said, block].filter(Boolean));
        current = null;
        continue;
      }
      const full = used + height > (asks ? most : room);
      if (!current || (current.length > 1 && (full || (!asks && block.matches("form.predict"))))) {
        const said = saidBefore(block);
        if (said) current.pop();
        begin();
        if (said) add(said);
      }
      add(block);
      asks = block.matches("form.predict") || (asks && block.matches(".cell_input"));
    }
    return found.filter(blocks => blocks.some(block => !block.matches("h1, h2, h3")));
  }

  // Return the code and the result of a cell that shows both.
  const partsOf = block => (block.matches(".cell") ? [...block.children].filter(part => part.matches(".cell_input, .cell_output") && part.offsetHeight) : []);

  // Return whether a drawing of a cell is so small beside its code that its letters cannot be read. legible.py writes the least width.
  const isCramped = cell => [...cell.querySelectorAll("img")].some(image => {
    const least = parseFloat(image.style.getPropertyValue("--least"));
    return least && Math.min(image.offsetWidth, (image.offsetHeight * image.naturalWidth) / image.naturalHeight) < least;
  });

  function show(number) {
    slide = Math.max(0, Math.min(slides.length - 1, number));
    for (const block of document.querySelectorAll(".on-slide")) block.classList.remove("on-slide");
    for (const block of slides[slide]) block.classList.add("on-slide");
    for (const frame of slides[slide][0].querySelectorAll("iframe")) frame.loading = "eager";
    document.body.classList.toggle("player-slide", slides[slide][0].matches(ALONE));
    bar.querySelector("output").textContent = `slide ${slide + 1} of ${slides.length}`;
    history.replaceState(null, "", `#slides=${slide + 1}`);
    fit();
    scrollTo(0, 0);
  }

  // Make the slide smaller until it fits above the bar. (Less than a third of its size would be no slide: it scrolls.)
  function fit() {
    const article = document.querySelector("article"), { style } = article;
    const tooHigh = () => article.getBoundingClientRect().bottom + scrollY > innerHeight - bar.offsetHeight + 1;
    for (style.zoom = 1; tooHigh() && style.zoom > 0.35; ) style.zoom -= 0.05;
  }

  function start(number) {
    if (!bar) bar = makeBar();
    document.documentElement.classList.add("presents"); // the size of the text, which the heights depend on
    document.body.classList.add("measures");
    document.querySelector("article").style.zoom = 1;
    slides = divide();
    document.body.classList.remove("measures");
    show(number);
  }

  function end() {
    const [first] = slides[slide];
    slide = -1;
    for (const block of document.querySelectorAll(".on-slide")) block.classList.remove("on-slide");
    document.documentElement.classList.remove("presents");
    document.body.classList.remove("player-slide");
    document.querySelector("article").style.zoom = "";
    history.replaceState(null, "", location.pathname + location.search);
    first.scrollIntoView();
  }

  function makeBar() {
    const made = Object.assign(document.createElement("div"), { className: "slide-bar" });
    const button = (text, label, act) => {
      const found = Object.assign(document.createElement("button"), { type: "button", textContent: text, ariaLabel: label });
      found.addEventListener("click", act);
      return found;
    };
    made.append(
      document.createElement("output"),
      button("←", "previous slide", () => show(slide - 1)),
      button("→", "next slide", () => show(slide + 1)),
      button("End", "end the slides (Esc)", end),
    );
    document.body.append(made);
    return made;
  }

  // Start with the slide of the block at which the reader is.
  function startHere() {
    const blocks = blocksOf(document.querySelector("article"));
    const above = blocks.filter(block => block.getBoundingClientRect().top < innerHeight / 3);
    start(0);
    show(slides.findLastIndex(shown => above.includes(shown.find(block => !block.matches("h1, h2")))));
  }

  const asked = () => Number(/^#slides=(\d+)$/.exec(location.hash)?.[1] ?? 0);

  function press(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest(WRITES)) return;
    if (!presenting()) {
      if (key === "s" || key === "S") startHere();
      return;
    }
    const by = FORWARD.includes(key) - BACK.includes(key);
    if (key === "Escape") end();
    else if (by && !(target.matches("input") && key.startsWith("Arrow"))) {
      event.preventDefault(); // the page does not scroll
      show(slide + by);
    }
  }

  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("button.start-slides");
    if (!button) return;
    button.hidden = false;
    button.addEventListener("click", startHere);
    addEventListener("keydown", press);
    addEventListener("hashchange", () => asked() && start(asked() - 1));
    addEventListener("resize", () => presenting() && start(slide));
    addEventListener("toggle", () => presenting() && fit(), true); // a reply or a hint is open now
  });
  addEventListener("load", () => {
    const first = asked() || Number(document.body.dataset.opens === "slides" && !location.hash);
    if (first && document.querySelector("button.start-slides")) start(first - 1);
  });
})();
