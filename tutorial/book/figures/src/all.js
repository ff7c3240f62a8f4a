// The figures of the book by their names, in the order of the chapters.

import { arm_orders } from "./arm_orders.js";
import { arm_race } from "./arm_race.js";
import { attention } from "./attention.js";
import { broadcast } from "./broadcast.js";
import { carried } from "./carried.js";
import { convolution } from "./convolution.js";
import { counts } from "./counts.js";
import { depth } from "./depth.js";
import { dictionary } from "./dictionary.js";
import { directions } from "./directions.js";
import { float_grid } from "./float_grid.js";
import { jacobian } from "./jacobian.js";
import { momentum } from "./momentum.js";
import { museum_arms } from "./museum_arms.js";
import { newton } from "./newton.js";
import { price } from "./price.js";
import { product } from "./product.js";
import { rate } from "./rate.js";
import { saved_arrays } from "./saved_arrays.js";
import { softmax_choice } from "./softmax_choice.js";
import { step_size } from "./step_size.js";
import { tangent } from "./tangent.js";
import { tree } from "./tree.js";
import { two_paths } from "./two_paths.js";
import { two_pulls } from "./two_pulls.js";
import { walks } from "./walks.js";
import { work } from "./work.js";

export const FIGURES = {
  arm_race, price, tangent, carried, two_paths, arm_orders, walks, dictionary, rate, product, two_pulls, broadcast, jacobian,
  softmax_choice, saved_arrays, counts, museum_arms, step_size, float_grid, momentum, convolution, depth, work, attention, newton,
  directions, tree,
};
