import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { unwrapEC2Signature } from "./ecdsa-signature.ts";

test.each([
  [1, "P-256", 32],
  [2, "P-384", 48],
  [3, "P-521", 66],
])("a signature on curve %i (%s) is what Web Crypto verifies", async (curve, namedCurve, size) => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve });
  const format = { name: "ECDSA", namedCurve };
  const spki = publicKey.export({ type: "spki", format: "der" });
  const key = await crypto.subtle.importKey("spki", new Uint8Array(spki), format, false, [
    "verify",
  ]);
  // Numbers with leading zeros and with a high bit come up within a few rounds.
  for (let round = 0; round < 40; round++) {
    const data = crypto.getRandomValues(new Uint8Array(16));
    const unwrapped = unwrapEC2Signature(new Uint8Array(sign("sha256", data, privateKey)), curve);

    expect(unwrapped).toHaveLength(2 * size);
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    const isGenuine = await crypto.subtle.verify(algorithm, key, new Uint8Array(unwrapped), data);
    expect(isGenuine).toBe(true);
  }
});

test("short numbers are filled up with zeros", () => {
  const signature = Uint8Array.of(0x30, 7, 2, 1, 5, 2, 2, 0, 0x80);

  const unwrapped = unwrapEC2Signature(signature, 1);

  expect([...unwrapped.keys()].filter((index) => unwrapped[index] !== 0)).toEqual([31, 63]);
  expect([unwrapped[31], unwrapped[63]]).toEqual([5, 0x80]);
});

test.each([
  ["nothing", []],
  ["no sequence", [0x31, 6, 2, 1, 5, 2, 1, 5]],
  ["one number", [0x30, 3, 2, 1, 5]],
  ["three numbers", [0x30, 9, 2, 1, 5, 2, 1, 5, 2, 1, 5]],
  ["something behind it", [0x30, 6, 2, 1, 5, 2, 1, 5, 0]],
  ["less than it says", [0x30, 8, 2, 1, 5, 2, 1, 5]],
  ["a number of no bytes", [0x30, 5, 2, 0, 2, 1, 5]],
  ["a negative number", [0x30, 6, 2, 1, 0x85, 2, 1, 5]],
  ["a needless zero", [0x30, 7, 2, 2, 0, 5, 2, 1, 5]],
  ["a length in the long form that would fit the short one", [0x30, 0x81, 6, 2, 1, 5, 2, 1, 5]],
  ["a length that is endless", [0x30, 0x80, 2, 1, 5, 2, 1, 5]],
  ["a number too long for the curve", [0x30, 38, 2, 33, ...Array(33).fill(1), 2, 1, 5]],
])("%s is refused", (_name, bytes) => {
  expect(() => unwrapEC2Signature(Uint8Array.from(bytes), 1)).toThrow();
});

test("a curve that is none of ours is refused", () => {
  const signature = Uint8Array.of(0x30, 6, 2, 1, 5, 2, 1, 5);

  expect(() => unwrapEC2Signature(signature, 8)).toThrow("curve");
});
