import { expect, test } from "vitest";
import { createKeys } from "./keys.server.ts";

const keys = createKeys("a secret of thirty-two characters");

test("a sealed text opens for the purpose it was sealed for", async () => {
  const sealed = await keys.encrypt("ban-notice", "until Friday");

  expect(await keys.decrypt("ban-notice", sealed)).toBe("until Friday");
});

test("a sealed text opens for no other purpose, and not without one", async () => {
  const sealed = await keys.encrypt("ban-notice", "until Friday");

  await expect(keys.decrypt("pending-link", sealed)).rejects.toThrow();
  await expect(keys.decrypt("impersonation-return", sealed)).rejects.toThrow();
  await expect(keys.decrypt("mail", sealed)).rejects.toThrow();
  await expect(keys.decryptWithoutPurpose(sealed)).rejects.toThrow();
});

test("a sealed text does not open under another secret", async () => {
  const sealed = await keys.encrypt("pending-link", "7");

  await expect(createKeys("another secret").decrypt("pending-link", sealed)).rejects.toThrow();
});

test("what an earlier secret sealed and hashed stays valid while it is named", async () => {
  const both = createKeys("the newest secret", [
    "another secret",
    "a secret of thirty-two characters",
  ]);
  const sealed = await keys.encrypt("mail", "a code");
  const hash = await keys.mac("code", "123456");

  expect(await both.decrypt("mail", sealed)).toBe("a code");
  await expect(both.decrypt("pending-link", sealed)).rejects.toThrow();
  expect(await both.verifyMac("code", "123456", hash)).toBe(true);
  expect(await both.verifyMac("code", "123457", hash)).toBe(false);
  expect(await both.mac("code", "123456")).not.toBe(hash);
  await expect(keys.decrypt("mail", await both.encrypt("mail", "new"))).rejects.toThrow();
});
