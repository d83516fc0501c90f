import { expect, test } from "vitest";
import { addPasskey, newAuthenticator, signInWithPasskey } from "../support/authenticator.ts";
import { locationOf, newBrowser, setCookieOf } from "../support/client.ts";
import { copyMigratedDatabase } from "../support/migrated-database.ts";
import { settled } from "../support/outbox.ts";
import {
  anAdmin,
  askForCode,
  aUserSignedInByCode,
  enterCode,
  impersonate,
  newEmail,
  signIn,
  wrongCode,
} from "../support/people.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const PORT = 9_941;
const SESSION = "gatehouse.session_token";
const DEVICE = "gatehouse.device";
const [OLD, NEW] = [1, 2].map(() => `${crypto.randomUUID()}${crypto.randomUUID()}`) as [
  string,
  string,
];

/** Runs work with the product on one database, with these secrets. */
async function withSecrets<Result>(
  folder: string,
  [current = "", ...previous]: string[],
  work: (gatehouse: Gatehouse) => Promise<Result>,
): Promise<Result> {
  const vars = {
    BETTER_AUTH_SECRET: current,
    BETTER_AUTH_SECRET_PREVIOUS: previous.join(","),
  };
  await using gatehouse = await startGatehouse({ vars, folder, port: PORT });
  return await work(gatehouse);
}

/** Makes what a rotation meets: sessions, a passkey, codes and mails on their way, a banned mailbox. */
async function prepare(gatehouse: Gatehouse) {
  const signedIn = await aUserSignedInByCode(gatehouse);
  const authenticator = newAuthenticator({ origin: gatehouse.origin });
  expect((await addPasskey(signedIn.browser, authenticator)).status).toBe(200);

  const manager = await anAdmin(gatehouse);
  await impersonate(manager.browser, signedIn.user.id);

  const typing = { email: newEmail(), browser: newBrowser(gatehouse), code: "" };
  await askForCode(typing.browser, typing.email);
  typing.code = await gatehouse.mailbox.codeFor(typing.email);

  const waiting = { email: newEmail() };
  gatehouse.mailbox.answerNext({ status: 500 });
  await askForCode(newBrowser(gatehouse), waiting.email);
  await settled(gatehouse, waiting.email);

  const banned = await aUserSignedInByCode(gatehouse, { email: newEmail("banned") });
  await gatehouse.d1
    .prepare("UPDATE user SET banned = 1, deletion_due_at = 1 WHERE id = ?")
    .bind(banned.user.id)
    .run();
  await gatehouse.runHourly();
  return { signedIn, authenticator, manager, typing, waiting, banned: banned.user.email };
}

/** The screen after a sign-in with a code; the error code when it is refused. */
async function tryToSignIn(gatehouse: Gatehouse, email: string): Promise<string | undefined> {
  const browser = newBrowser(gatehouse);
  await askForCode(browser, email);
  return locationOf(await enterCode(browser, email, await gatehouse.mailbox.codeFor(email)));
}

test("with the previous secret set, a new secret signs no one out and loses nothing", async () => {
  await using data = await copyMigratedDatabase();
  const before = await withSecrets(data.folder, [OLD], prepare);
  const { signedIn, authenticator, manager, typing, waiting } = before;

  await withSecrets(data.folder, [NEW, OLD], async (gatehouse) => {
    const page = await signedIn.browser.get("/app");
    expect(page.status).toBe(200);
    expect(setCookieOf(page, SESSION)).toMatch(/Max-Age=2591\d{3}; .*HttpOnly/);
    // The cookie is signed anew once.
    expect(setCookieOf(await signedIn.browser.get("/app"), SESSION)).toBeUndefined();

    // An impersonation goes on, and its end leads back to the manager's own session.
    expect((await manager.browser.get("/app")).status).toBe(200);
    await manager.browser.submit("/stop-impersonating", {});
    expect((await manager.browser.get("/manager/users")).status).toBe(200);

    const passkey = await signInWithPasskey(newBrowser(gatehouse), authenticator);
    expect(passkey.status).toBe(200);

    const wrong = await enterCode(typing.browser, typing.email, wrongCode(typing.code));
    expect(wrong.status).toBe(400);
    const right = await enterCode(typing.browser, typing.email, typing.code);
    expect(locationOf(right)).toBe("/onboarding");

    await gatehouse.runScheduled(new Date(Date.now() + 60_000));
    expect(await gatehouse.mailbox.codeFor(waiting.email)).toMatch(/^\d{6}$/);

    // A rotation ends the trusted devices: this browser is a new one, as the one with the passkey.
    const trusted = newBrowser(gatehouse);
    trusted.cookies.set(DEVICE, signedIn.browser.cookies.get(DEVICE) ?? "");
    await signIn(gatehouse, trusted, signedIn.user.email);
    const { results } = await gatehouse.d1
      .prepare("SELECT kind FROM mail_outbox WHERE recipient = ? AND kind = 'new-device'")
      .bind(signedIn.user.email)
      .all();
    expect(results).toHaveLength(2);

    expect(await tryToSignIn(gatehouse, before.banned)).toContain("BANNED_USER");
  });

  // Later, without the previous secret: what was used meanwhile has the new one.
  await withSecrets(data.folder, [NEW], async (gatehouse) => {
    expect((await signedIn.browser.get("/app")).status).toBe(200);
    expect(await tryToSignIn(gatehouse, before.banned)).toContain("BANNED_USER");
  });
});

test("a call to better-auth accepts a session of the previous secret", async () => {
  await using data = await copyMigratedDatabase();
  const { browser } = await withSecrets(data.folder, [OLD], aUserSignedInByCode);

  await withSecrets(data.folder, [NEW, "another secret that is long enough", OLD], async () => {
    const authenticator = newAuthenticator({ origin: `http://localhost:${PORT}` });
    expect((await addPasskey(browser, authenticator)).status).toBe(200);
  });
});

test("without the previous secret, what it signed is refused", async () => {
  await using data = await copyMigratedDatabase();
  const before = await withSecrets(data.folder, [OLD], prepare);

  await withSecrets(data.folder, [NEW], async (gatehouse) => {
    gatehouse.tolerateErrors();
    expect(locationOf(await before.signedIn.browser.get("/app"))).toMatch(/^\/login/);
    const { typing } = before;
    expect((await enterCode(typing.browser, typing.email, typing.code)).status).toBe(400);
    await gatehouse.runScheduled(new Date(Date.now() + 60_000));
    const { results } = await gatehouse.d1
      .prepare("SELECT state FROM mail_outbox WHERE recipient = ?")
      .bind(before.waiting.email)
      .all();
    expect(results).not.toEqual([{ state: "sent" }]);
    // A passkey is a public key, so it needs no secret.
    const passkey = await signInWithPasskey(newBrowser(gatehouse), before.authenticator);
    expect(passkey.status).toBe(200);
  });
});
