// Free places for the numbers of points. What a single figure needs is in its own script, not in that of all figures.

// Return where a text may stand beside a point, and its anchor: the first corner within a frame at which no curve crosses it.
const CORNERS = [[-1, -1], [1, 1], [1, -1], [-1, 1]];
/** @typedef {{ left: number, right: number, top: number, bottom: number }} Room */
/** @param {number[]} point @param {string} said @param {Room} frame @param {number[][][]} curves */
export function freeCorner([x, y], said, frame, curves) {
  const long = 9 * said.length, places = CORNERS.map(([across, down]) => {
    const left = across < 0 ? x - 12 - long : x + 12, top = down < 0 ? y - 22 : y + 10;
    return { left, right: left + long, top, bottom: top + 12, x: x + 12 * across, y: top + 11, anchor: across < 0 ? "end" : "start" };
  });
  const inside = places.filter(({ left, right, top, bottom }) =>
    left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom);
  return inside.find(place => !curves.some(curve => crosses(curve, place))) ?? inside[0] ?? places[0];
}

// Return whether a line through points comes near a room.
/** @param {number[][]} points @param {Room} room */
function crosses(points, { left, right, top, bottom }) {
  return points.some(([x1, y1], k) => {
    const [x0, y0] = points[Math.max(0, k - 1)], steps = Math.ceil(Math.hypot(x1 - x0, y1 - y0) / 2) || 1;
    const between = Array.from({ length: steps + 1 }, (_, step) => [x0 + (step / steps) * (x1 - x0), y0 + (step / steps) * (y1 - y0)]);
    return between.some(([x, y]) => x > left - 3 && x < right + 3 && y > top - 3 && y < bottom + 3);
  });
}
