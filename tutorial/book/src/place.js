// A link ends where it leads. A player is loaded only when the reader comes near, and becomes higher or lower when it is seen. So the
// target of a link is kept where the link has put it in the window, until the reader scrolls.

/** @type {{ target: Element, top: number } | null} */
let place = null;

const topOf = element => element.getBoundingClientRect().top;
const namedByAddress = () => document.getElementById(decodeURIComponent(location.hash.slice(1)));

export function goTo(target, block = "start") {
  target.scrollIntoView({ block });
  hold(target);
}

// To be called where something has become higher or lower.
export function keepPlace() {
  if (place) scrollBy(0, topOf(place.target) - place.top);
}

export function followLinks() {
  addEventListener("hashchange", () => hold(namedByAddress())); // the browser is there
  addEventListener("click", ({ target }) => {
    const link = target instanceof Element && target.closest("a[href]");
    if (location.hash && link instanceof HTMLAnchorElement && link.href === location.href) setTimeout(() => hold(namedByAddress()));
  });
  addEventListener("load", () => {
    hold(namedByAddress());
    addEventListener("scroll", () => {
      if (place && Math.abs(topOf(place.target) - place.top) > 1) place = null;
    });
  });
}

function hold(target) {
  const top = target && topOf(target);
  place = target && top >= 0 && top < innerHeight ? { target, top } : null; // a reader who goes back may be elsewhere
}
