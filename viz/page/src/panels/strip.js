// The strip under the graph: what is changed, a slider, the amount, and one line that says what happens.

import { finiteNumber } from "../answers.js";
import { otherArrays } from "../arrays/entries.js";
import { all, find, html, inFull } from "../dom.js";
import { listen } from "../listening.js";
import { keepInView, whenLaidOut } from "../places.js";
import { makeStartValues } from "../start_values.js";

const SAID = 56; // pixels: the room of "… 9", which says how many buttons are beyond the end of their row

/** @param {Run} run */
export function stripPanel(root, run, player) {
  const chooser = html("div", { class: "chooser", role: "group", "aria-label": "what is changed" });
  const less = html("button", { type: "button", title: "key ↓", "aria-label": "less" }, "−");
  const more = html("button", { type: "button", title: "key ↑", "aria-label": "more" }, "+");
  const dial = html("input", { type: "range", id: "dial" });
  const amount = html("input", { id: "amount", inputmode: "decimal", autocomplete: "off", spellcheck: "false" });
  const readout = html("p", { id: "readout", role: "status" });
  root.replaceChildren(chooser, html("div", { class: "slide" }, less, dial, more), amount, readout);
  if (run.live?.numbers || run.ofEntries) {
    const { button, dialog } = run.ofEntries ? otherArrays() : makeStartValues(run, player);
    find("#help").before(button);
    root.after(dialog);
  }
  let strip = null, chosen = null;

  // Say how many buttons are beyond the end of their row. A click there scrolls to them.
  const beyondEnd = () => {
    const end = chooser.getBoundingClientRect().right, ends = all("button", chooser).map(button => button.getBoundingClientRect().right);
    const beyond = ends.some(right => right > end + 1) ? ends.filter(right => right > end - SAID).length : 0;
    return () => {
      if (beyond) chooser.dataset.more = `${beyond}`;
      else delete chooser.dataset.more;
    };
  };
  const sayMore = () => beyondEnd()();
  chooser.addEventListener("scroll", sayMore);
  chooser.addEventListener("click", ({ target }) => target === chooser && chooser.scrollBy({ left: chooser.clientWidth - SAID }));
  listen("resize", sayMore);

  less.addEventListener("click", () => strip.turn(-1));
  more.addEventListener("click", () => strip.turn(1));
  dial.addEventListener("input", () => strip.set(+dial.value * strip.step));
  dial.addEventListener("pointerup", () => dial.blur()); // the arrow keys move the page's steps again
  amount.addEventListener("change", () => {
    try {
      strip.set(finiteNumber(amount.value));
    } catch (error) {
      readout.textContent = error.message;
    }
  });
  amount.addEventListener("keydown", event => event.key === "Enter" && amount.blur());

  return {
    show(frame) {
      root.hidden = !frame.strip;
      if (root.hidden) return;
      if (strip?.chooser !== frame.strip.chooser) {
        chooser.replaceChildren(...frame.strip.chooser);
        whenLaidOut("chooser", beyondEnd);
      }
      if (strip?.grid !== frame.strip.grid) {
        strip?.grid?.remove();
        if (frame.strip.grid) root.prepend(frame.strip.grid);
      }
      strip = frame.strip;
      const { label, value, least, most, step, text } = strip;
      Object.assign(dial, { min: Math.round(least / step), max: Math.round(most / step), value: Math.round(value / step) });
      dial.setAttribute("aria-label", label);
      dial.setAttribute("aria-valuetext", text);
      amount.setAttribute("aria-label", `${label}, as a number`);
      if (document.activeElement !== amount || amount.value !== text) amount.value = text;
      amount.style.setProperty("--letters", text.length); // no digit is cut off
      readout.replaceChildren(strip.readout);
      inFull(readout);
      readout.style.setProperty("--letters", readout.textContent.length); // a long line has smaller letters
      const now = find("[aria-pressed=true]", chooser);
      if (now && now !== chosen) keepInView(chooser, now); // it measures, so not at each nudge
      chosen = now;
    },
  };
}
