// Where things stand on the page: asked for once in a step, when all is written, and then scrolled to.

// What has to know where things stand waits until every panel has been written: in between, each such question would lay the page
// out again. `read` looks, and gives back what then changes the page, if anything does.
const waiting = new Map();
const whenLaidOut = (box, read) => waiting.set(box, read);

function settle() {
  while (waiting.size) {
    const reads = [...waiting.values()];
    waiting.clear();
    for (const change of reads.map(read => read())) if (change) change();
  }
}

const BESIDE = 6; // pixels around what is to be seen: the edge of a box that scrolls is in the shade

// Scroll a box so that all between two of its parts is seen.
const keepInView = (box, first, last = first) => whenLaidOut(box, () => {
  const { scrollTop, scrollLeft, clientHeight, clientWidth } = box;
  const head = find("thead", box)?.offsetHeight ?? 0; // it stays above what is scrolled
  const top = moved(scrollTop, clientHeight, first.offsetTop - head - BESIDE, last.offsetTop + last.offsetHeight + BESIDE);
  const left = moved(scrollLeft, clientWidth, first.offsetLeft - BESIDE, last.offsetLeft + last.offsetWidth + BESIDE);
  return (top !== scrollTop || left !== scrollLeft) && (() => box.scrollTo(left, top));
});

// The same for a box of one line: the part stands in the middle.
const keepInMiddle = (box, part) => whenLaidOut(box, () => {
  const left = part.offsetLeft - box.clientWidth / 2;
  return () => (box.scrollLeft = left);
});

// Where a window of a size has to begin so that it shows what stands between two places, and its beginning above all.
const moved = (at, size, begin, end) => Math.max(0, Math.min(Math.max(at, end - size), begin));
