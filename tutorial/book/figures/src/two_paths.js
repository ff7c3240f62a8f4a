// Chapter 3: two paths from a joint to the miss: over x, the hand's place across, and over y, its height. Factors multiply, products add.

import { CUP, JOINTS, arm, jointHandles, missOf, mug, pointsOf, pressed, slopesOf, stage, table, turned } from "./arm.js";
import { two } from "./numbers.js";
import { arrow, box, group, line, picture, words } from "./svg.js";

const CHIP = 62, HIGH = 48, NARROW = 560, PIXELS = 4; // pixels of an arrow's width for a factor of 1

// Return the partial derivatives along both paths, their products, and the slope.
function facts({ angles, joint }) {
  const points = pointsOf(angles), hand = points[2], [x, y] = points[joint];
  const first = [y - hand[1], hand[0] - x]; // ∂x/∂a, ∂y/∂a: the hand turns about the joint
  const second = [2 * (hand[0] - CUP[0]), 2 * (hand[1] - CUP[1])]; // ∂z/∂x, ∂z/∂y
  const products = first.map((factor, k) => factor * second[k]);
  return { first, second, products, slope: slopesOf(angles, CUP)[joint], miss: missOf(angles, CUP) };
}

function layout(wide) {
  const narrow = wide < NARROW, aside = narrow ? 0 : wide * 0.34, above = narrow ? 196 : 0;
  const X = [aside + CHIP / 2 + 6, aside + (wide - aside) * 0.5, wide - CHIP / 2 - 4], apart = narrow ? 88 : 66;
  const Y = [0, 1, 2].map(row => above + 44 + row * apart), below = Y[2] + 40;
  return {
    high: below + 54, below, X, Y, aside,
    table: table({ x: 0, y: 0, wide: narrow ? wide : aside - 12, high: 190, low: 176, scale: 50 }),
  };
}

function shown(state, wide) {
  const { angles, joint } = state, at = layout(wide), { X, Y } = at, { first, second, products, slope, miss } = facts(state);
  const hand = pointsOf(angles)[2], names = ["a", "b"], values = [angles[joint], ...hand, miss];
  const places = [[X[0], Y[1]], [X[1], Y[0]], [X[1], Y[2]], [X[2], Y[1]]];
  const chips = [names[joint], "x", "y", "z"].map((name, k) => {
    const [x, y] = places[k];
    return group({ class: `variable${k ? "" : " now"}` },
      box(x - CHIP / 2, y - HIGH / 2, CHIP, HIGH, { rx: 8, class: "body" }),
      words(x - CHIP / 2 + 8, y - 5, name, { class: "name" }),
      words(x + CHIP / 2 - 6, y + 16, two(values[k]), { class: "number", "text-anchor": "end" }),
    );
  });
  const thick = (from, to, factor, side) => {
    const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], long = two(factor).length * 9 + 10;
    return group({ class: `thick ${side}`, style: `--wide: ${Math.max(1, PIXELS * Math.abs(factor)).toFixed(1)}px` },
      arrow(from, to, { class: factor < 0 ? "edges less" : "edges more" }),
      box(x - long / 2, y - 12, long, 24, { rx: 5, class: "label" }),
      words(x, y + 5, two(factor), { class: "number strong", "text-anchor": "middle" }),
    );
  };
  const edge = CHIP / 2 + 6, [start, across, height, end] = places;
  const sum = products.map(two).map((text, k) => (k && products[1] < 0 ? `− ${text.slice(1)}` : k ? `+ ${text}` : text)).join(" ");
  return picture(wide, at.high, "an arm, and the two paths from one of its joints to the miss",
    group({}, stage(at.table), mug(at.table.to(CUP)),
      line([at.table.to(pointsOf(angles)[joint]), at.table.to(hand)], { class: "faint" }),
      arm(angles, at.table, "total"), jointHandles(angles, at.table)),
    group({}, [
      thick([start[0] + edge, start[1] - 10], [across[0] - edge, across[1] + 4], first[0], "over"),
      thick([start[0] + edge, start[1] + 10], [height[0] - edge, height[1] - 4], first[1], "under"),
      thick([across[0] + edge, across[1] + 4], [end[0] - edge, end[1] - 10], second[0], "over"),
      thick([height[0] + edge, height[1] - 4], [end[0] - edge, end[1] + 10], second[1], "under"),
    ]),
    group({}, chips),
    bars(at, wide, products, slope, sum),
  );
}

// Return both products as bars, one after the other, and their sum below.
function bars({ aside, below: y }, wide, products, slope, sum) {
  const left = aside + 6, right = wide - 4, middle = (left + right) / 2, scale = (right - left) / 2 / 24;
  const bar = (from, to, row, look) =>
    box(middle + Math.min(from, to) * scale, y + row * 16, Math.max(1, Math.abs(to - from) * scale), 12, { class: `term ${look}` });
  return group({},
    line([[middle, y - 4], [middle, y + 34]], { class: "legs" }),
    bar(0, products[0], 0, "over"), bar(products[0], products[0] + products[1], 0, "under"), bar(0, slope, 1, "whole"),
    words(middle, y + 50, `${sum} ≈ ${two(slope)}`, { class: "number strong", "text-anchor": "middle" }),
  );
}

function says(state) {
  const { first, second, products, slope } = facts(state), v = "ab"[state.joint];
  const enclosed = number => (number < 0 ? `(${two(number)})` : two(number));
  const path = (k, name) =>
    `over ${name} <b class="${k ? "child" : "partial"}">${two(first[k])} · ${enclosed(second[k])} ≈ ${two(products[k])}</b>`;
  return `From ${v} to z, ${path(0, "x")}, and ${path(1, "y")}. Together: dz/d${v} ≈ <b class="total">${two(slope)}</b>.`;
}

const start = { angles: [0.3, 0.3], joint: 0 };

export const two_paths = {
  does: "Drag the arm",
  hint: "An arrow's number says how many times as far its end moves as its start. Wide: a large number. Dashed: a negative one.",
  wide: true,
  start,
  still: start,
  others: [{ ...start, joint: 1 }, { angles: [0.9, 1.2], joint: 0 }],
  facts, says,
  picture: shown,
  drag: ({ angles }, place, wide, name) => ({ angles: turned(angles, JOINTS.indexOf(name), layout(wide).table.from(place)) }),
  press: ({ angles }, way, name) => ({ angles: pressed(angles, JOINTS.indexOf(name), way) }),
  controls: [
    { choose: "joint", of: "joint", options: [[0, "the shoulder a"], [1, "the elbow b"]] },
  ],
};
