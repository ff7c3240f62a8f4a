// What the pages of networks have more than others: their acts, and panels that stand in place of the graph.

import { ACTS } from "../acts/acts.js";
import { backwardAct } from "../acts/backward.js";
import { nudgeAct } from "../acts/nudge.js";
import { useAct } from "../acts/use.js";
import { find, html } from "../dom.js";
import { PANELS } from "../panels/panels.js";
import { networkBackward } from "./backward.js";
import { carriedNudge, carriedUse } from "./carried.js";
import { layersPanel } from "./layers_panel.js";
import { Network } from "./network.js";
import { networkNudge } from "./nudge.js";
import { passesPanel } from "./passes_panel.js";
import { whenColoursChange } from "./pictures.js";
import { slopesPanel } from "./slopes_panel.js";
import { networkUse } from "./use.js";

// Return the network of a run, null if the page cannot compute it.
const networks = new WeakMap();

/** @param {Run} run */
function networkOf(run) {
  if (!networks.has(run)) {
    const network = run.network?.program ? new Network(run) : null;
    networks.set(run, network?.agrees ? network : null);
  }
  return networks.get(run);
}

// Two loops are compared on the graph. On slides it stays, too: beside it there is room for the sum.
export function addNetworks() {
  Object.assign(ACTS, {
    nudge: (run, player) => (run.network ? networkOf(run) ? networkNudge(run, networkOf(run), player) : carriedNudge(run, player)
      : nudgeAct(run, player)),
    backward: (run, player) => (run.network && !run.beside && !run.slides ? networkBackward(run, player) : backwardAct(run)),
    use: (run, player) => (run.network ? networkOf(run) ? networkUse(run, networkOf(run), player) : carriedUse(run, player) : useAct(run,
      player)),
  });
  Object.assign(PANELS, { layers: layersPanel, passes: passesPanel, slopes: slopesPanel });
  find("#player").append(
    section("layers", "nudge backward use", "Layers"), section("slopes", "nudge use", "Slopes"), section("passes", "backward",
      "One vjp in pictures"));
  const isStill = () => document.body.classList.contains("still"); // the data are not unpacked
  whenColoursChange(() => isStill() || window.player.refresh());
}

const section = (id, acts, label) =>
  html("section", { id, class: "panel", "data-panel": id, "data-acts": acts, "aria-label": label, hidden: "" });
