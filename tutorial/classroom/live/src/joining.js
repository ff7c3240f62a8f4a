// The projector while students join: the code of squares, the address, the six letters.

import { made } from "./dom.js";

const BY_HAND = "Vote with your fingers: A is one, B is two, C is three, D is four.", ON_PAPER = "Ask for the test on paper.";

export function joining(state, set) {
  const { host } = new URL(set.address), n = state.here;
  return [made("div", { className: "join" },
    made("img", { src: set.qr, alt: `QR code of ${set.address}` }),
    made("div", {},
      made("p", { className: "tag" }, "1 · Join the Wi-Fi of this room"),
      made("p", { className: "quiet" }, "No account, no app. Your answers stay in this room."),
      made("p", { className: "tag" }, "2 · Scan the code, or type"), made("p", { className: "address" }, host),
      made("p", { className: "tag" }, "3 · Enter"), made("p", { className: "letters" }, set.code),
      made("p", { className: "count" }, `${n} ${n === 1 ? "student" : "students"} joined${state.locked ? ". The class is locked" : ""}`),
      made("p", { className: "quiet" }, `The page does not open? ${set.is_test ? ON_PAPER : BY_HAND}`)))];
}
