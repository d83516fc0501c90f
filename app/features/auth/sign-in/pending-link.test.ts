import { expect, test } from "vitest";
import { createKeys } from "../../../runtime/keys.server.ts";
import { dropPendingLink, findPendingLink, pendingLinkCookie } from "./pending-link.server.ts";

const keys = createKeys("a secret that is long enough for a test");
const now = new Date("2026-11-22T12:00:00Z");
const link = { provider: "oidc", accountId: "42", email: "amina@example.com" };

async function browserWith(isSecure: boolean): Promise<Request> {
  const cookie = await pendingLinkCookie({ keys, isSecure }, link, now);
  return new Request("https://app.example.com/", {
    headers: { cookie: cookie.split(";")[0] ?? "" },
  });
}

function after(minutes: number): Date {
  return new Date(now.getTime() + minutes * 60_000);
}

test("a pending link is valid for its e-mail and for ten minutes", async () => {
  const request = await browserWith(true);
  const find = (email: string, at: Date) =>
    findPendingLink({ keys, isSecure: true }, request, email, at);

  expect(await find(link.email, after(9))).toEqual(link);
  expect(await find(link.email, after(10))).toBeUndefined();
  expect(await find("other@example.com", after(1))).toBeUndefined();
});

test("a pending link with another secret, or a changed one, is invalid", async () => {
  const request = await browserWith(false);
  const sealing = { keys: createKeys("another secret that is long enough"), isSecure: false };
  expect(await findPendingLink(sealing, request, link.email, now)).toBeUndefined();

  const changed = new Request("http://localhost/", {
    headers: { cookie: `${request.headers.get("cookie")}x` },
  });
  expect(
    await findPendingLink({ keys, isSecure: false }, changed, link.email, now),
  ).toBeUndefined();
});

test("its cookie is HttpOnly, bound to the host, and cleared only when it exists", async () => {
  const cookie = await pendingLinkCookie({ keys, isSecure: true }, link, now);
  expect(cookie).toMatch(/^__Host-gatehouse\.pending-link=/);
  expect(cookie).toMatch(/; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);

  expect(dropPendingLink(await browserWith(true), true)).toContain("Max-Age=0");
  expect(dropPendingLink(new Request("https://app.example.com/"), true)).toBeUndefined();
});
