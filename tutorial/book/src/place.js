// A link ends where it leads. A player is loaded only when the reader comes near, and becomes higher or lower when it is seen. So the
// target of a link is kept where the link has put it in the window, until the reader scrolls.

import { uncoverTo } from "./cover.js";

/** @type {{ target: Element, top: number } | null} */
let place = null;

const topOf = element => element.getBoundingClientRect().top;
const named = hash => document.getElementById(decodeURIComponent(hash.slice(1)));

export function goTo(target, block = "start") {
  uncoverTo(target);
  holdAt(target, block);
}

// Go to an element, or, if it is covered, to where it will stand.
export function holdAt(target, block = "start") {
  target.scrollIntoView({ block });
  hold(target);
}

// To be called where something has become higher or lower.
export function keepPlace() {
  if (place) scrollBy(0, topOf(place.target) - place.top);
}

export function followLinks() {
  addEventListener("click", ({ target: clicked }) => {
    const link = clicked instanceof Element && clicked.closest("a[href*='#']");
    if (!(link instanceof HTMLAnchorElement) || link.pathname !== location.pathname) return;
    uncoverTo(named(link.hash)); // before the browser goes there
    if (link.href === location.href) setTimeout(() => hold(named(link.hash))); // else the address changes
  });
  const arrive = () => {
    uncoverTo(named(location.hash));
    hold(named(location.hash));
  };
  addEventListener("hashchange", arrive);
  addEventListener("load", () => {
    arrive();
    addEventListener("scroll", () => {
      if (place && Math.abs(topOf(place.target) - place.top) > 1) place = null;
    });
  });
  uncoverTo(named(location.hash));
}

function hold(target) {
  const top = target && topOf(target);
  place = target && top >= 0 && top < innerHeight ? { target, top } : null; // a reader who goes back may be elsewhere
}
