// Where a page is that the class follows, and how another copy of it is brought there. A place is the page's own address after #. In the
// book it begins with the path of the page, and on slides it names the block that they show, since a phone has other slides.

const BOOK = "/book/", BLOCKS = "section > *", SHOWN = ".on-slide:not(h1, h2, h3)";
const READ = "section[id]:not(:has(> h2 + .covered))"; // sections of which a question that is still open covers not all
const HEAD = 64; // pixels: on a phone the head of a page of the book stays at the top

export const isBook = view => view.location.pathname.startsWith(BOOK);

// Return the place of the page in a window.
export function placeOf(view) {
  const { location: { pathname, hash }, document: { body }, innerHeight } = view;
  if (!isBook(view) || !body) return hash;
  const shown = body.querySelector(SHOWN);
  if (shown) return `${pathname}#block=${[...body.querySelectorAll(BLOCKS)].indexOf(shown.closest(BLOCKS))}`;
  const read = [...body.querySelectorAll(READ)].filter(section => section.getBoundingClientRect().top < innerHeight / 3);
  return pathname + (read.length ? `#${read.at(-1).id}` : "");
}

// Bring the page in a window to a place.
export function bring(view, place) {
  const [path, hash = ""] = place.split("#"), { pathname } = view.location, number = /^block=(\d+)$/.exec(hash)?.[1];
  if (path && path !== pathname) return view.location.replace(path); // its block is there when it has loaded
  const block = number && view.document.body.querySelectorAll(BLOCKS)[number];
  if (!block) return view.location.replace(`${pathname}#${hash}`);
  block.dispatchEvent(new Event("beforematch", { bubbles: true })); // as a search does, after which no question covers it
  return view.scrollBy(0, block.getBoundingClientRect().top - HEAD);
}

// Let no link of the page in a window lead out of the class: `leave` decides about each that leaves the page.
export function keepLinks(view, leave) {
  view.document.addEventListener("click", event => {
    const link = event.target.closest?.("a[href]");
    if (link && link.href.split("#")[0] !== view.location.href.split("#")[0]) leave(link, event);
  }, true);
}
