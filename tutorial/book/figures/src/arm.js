// The arm of the book: its hand, how far the hand misses the cup, the slopes of the miss, and how an arm and a cup are drawn.
// Angles count from the direction of the link before. All links have the same length, together 3, and the shoulder is at (0, 0).

import { box, dot, group, handle, line, tag } from "./svg.js";

// Of arms with two and three joints:
export const CUP = [1, 2];
export const JOINTS = ["shoulder", "elbow", "wrist"];
const LENGTH = 3;
const MANY = 24; // joints; with more they are not drawn

// Return the places of the shoulder, of each joint, and of the hand.
/** @param {number[]} angles @returns {number[][]} */
export function pointsOf(angles) {
  const link = LENGTH / angles.length, points = [[0, 0]];
  let heading = 0;
  for (const angle of angles) {
    heading += angle;
    const [x, y] = points.at(-1);
    points.push([x + link * Math.cos(heading), y + link * Math.sin(heading)]);
  }
  return points;
}

// Return the square of the distance from the hand to the cup.
/** @param {number[]} angles @param {number[]} cup */
export function missOf(angles, cup) {
  const link = LENGTH / angles.length;
  let heading = 0, x = 0, y = 0;
  for (const angle of angles) {
    heading += angle;
    x += link * Math.cos(heading);
    y += link * Math.sin(heading);
  }
  return (x - cup[0]) ** 2 + (y - cup[1]) ** 2;
}

// Return the derivative of the miss with respect to each angle: a joint turns the hand about itself.
/** @param {number[]} angles @param {number[]} cup */
export function slopesOf(angles, cup) {
  const points = pointsOf(angles), [x, y] = points.at(-1), pull = [2 * (x - cup[0]), 2 * (y - cup[1])];
  return angles.map((_, k) => pull[1] * (x - points[k][0]) - pull[0] * (y - points[k][1]));
}

/** @param {number[]} angles @param {number[]} slopes @param {number} rate */
export const stepped = (angles, slopes, rate) => angles.map((angle, k) => angle - rate * slopes[k]);

// Return the angles after one link was turned so that it points at a place. What is behind it turns, too.
/** @param {number[]} angles @param {number} k @param {number[]} place */
export function turned(angles, k, [x, y]) {
  const [x0, y0] = pointsOf(angles)[k], before = angles.slice(0, k).reduce((sum, angle) => sum + angle, 0);
  return angles.with(k, around(Math.atan2(y - y0, x - x0) - before));
}

// Return the angles after a key turned a link by a few hundredths, or by more than a full turn: then it ends at −π or at π.
/** @param {number[]} angles @param {number} k @param {number[]} way */
export function pressed(angles, k, [x, y]) {
  const turn = 0.05 * (y || -x);
  return angles.with(k, around(Math.abs(turn) > 2 * Math.PI ? Math.sign(turn) * Math.PI : angles[k] + turn));
}

// Return an angle from −π to π, rounded to a hundredth.
const around = angle => Math.round(100 * Math.atan2(Math.sin(angle), Math.cos(angle))) / 100;

// Return the functions from the table to a part of the picture and back: `low` is the height of the table's line there.
export const table = ({ x, y, wide, high, low, scale }) => ({
  x, y, wide, high, low, scale,
  /** @param {number[]} place */
  to: ([a, b]) => [x + wide / 2 + a * scale, y + low - b * scale],
  /** @param {number[]} place */
  from: ([a, b]) => [(a - x - wide / 2) / scale, (y + low - b) / scale],
});

// Return the paper of a part of a picture, with the table's line.
export const stage = ({ x, y, wide, high, low }) => [
  box(x, y, wide, high, { rx: 8, class: "paper" }), line([[x + 10, y + low], [x + wide - 10, y + low]], { class: "floor" }),
];

// Return an arm as a line with joints and an open hand. `look` is its colour: total, current, child, partial or wrong; and `ghost`.
/** @param {number[]} angles */
export function arm(angles, { to }, look, thick = 7) {
  const places = pointsOf(angles).map(to), [x, y] = places.at(-1), [x0, y0] = places.at(-2);
  const turn = (Math.atan2(y - y0, x - x0) * 180) / Math.PI;
  return group({ class: `arm ${look}` },
    line(places, { class: "limb", "stroke-width": thick }),
    angles.length <= MANY ? places.slice(0, -1).map(place => dot(place, thick * 0.62, { class: "joint" })) : "",
    tag("path", { d: "M16 -5Q12 -12 0 -11V11Q12 12 16 5", transform: `translate(${x} ${y}) rotate(${turn})`, fill: "none", class: "hand" }),
  );
}

// Return the handles that turn the links of an arm.
/** @param {number[]} angles */
export const jointHandles = (angles, { to }) =>
  pointsOf(angles).slice(1).map((place, k) => handle(JOINTS[k], JOINTS[k], angles[k], `${angles[k]} radians`, to(place)));

// Return the handle that moves the cup. `name` is the figure's word for it.
/** @param {number[]} place */
export const cupHandle = (name, place, { to }) => handle(name, "cup", place[0], `at (${place.join(", ")})`, to(place), mug(to(place)));

// Return a cup of hot coffee.
/** @param {number[]} place */
export const mug = ([x, y]) => tag("g", { class: "mug", transform: `translate(${x} ${y})` },
  tag("path", { d: "M-10 -11L-8 11H8L10 -11ZM10 -6q9 -1 8 6q-1 6 -9 6" }),
  tag("path", { d: "M-3 -16q3 -4 0 -8M4 -16q3 -4 0 -8", class: "steam" }),
);
