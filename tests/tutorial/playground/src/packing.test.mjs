// Links that hold a program, and parts of the playground.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { linked, unlinked, unpacked } from "../../../../tutorial/playground/src/packing.js";

test("a link gives back its program, and has only letters that an address keeps", async () => {
  for (const program of ["", "z = x * y\n", "# ∂z/∂x ÿ?>~ über\n".repeat(40), "Ünïcödé ∂∑∫√"]) {
    const link = await linked(program);
    assert.match(link, /^[\w-]*$/);
    assert.equal(await unlinked(link), program);
  }
});

test("a link of an earlier version is still read", async () => {
  const link = "SyvKz1UoTk7MSSxKL0pMUcjMLcgvKlHQ4qpQsFUIS8wpTdUw1uSqUNBSqFDQVjDUr-ACAA";
  assert.equal(await unlinked(link), "from scalargrad import *\nx = Value(3)\nx * x + 1/x\n");
});

test("a link that is cut off is an error", async () => {
  const link = await linked("x = 1\n".repeat(5) + "y = 2");
  await assert.rejects(unlinked(link.slice(0, -4)));
  await assert.rejects(unlinked("%"));
});

test("a part is unpacked to its bytes, with and without the browser's own base 64", async () => {
  const bytes = Uint8Array.from({ length: 5000 }, (_, k) => (k * k) % 251), text = gzipSync(bytes).toString("base64");
  const { fromBase64 } = Uint8Array;
  for (const own of [fromBase64, undefined]) {
    Uint8Array.fromBase64 = own;
    assert.deepEqual(new Uint8Array(await unpacked(text)), bytes);
  }
  Uint8Array.fromBase64 = fromBase64;
});
