import { afterAll, expect, test } from "vitest";
import { addPasskey, newAuthenticator } from "../support/authenticator.ts";
import { type Browser, newBrowser } from "../support/client.ts";
import { startIdentityProvider } from "../support/oidc.ts";
import { aSignedInUser, aUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const NAIROBI = { "mf-cf-blob": JSON.stringify({ city: "Nairobi", country: "KE" }) };

const provider = await startIdentityProvider();
const gatehouse = await startGatehouse({ vars: provider.vars });
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

function countMethodMails(email: string) {
  return gatehouse.d1
    .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ? AND kind = ?")
    .bind(email, "sign-in-method-added")
    .first<number>("n");
}

async function readMail(email: string) {
  const mail = await gatehouse.mailbox.mailFor(email);
  return { ...mail, text: mail.text.replace(/[\u2066-\u2069]/g, "") };
}

/** Requests the callback of a sign-in or a linking that began with `pressed`. */
async function followCallback(browser: Browser, pressed: Response): Promise<Response> {
  const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
  return browser.get(back.pathname + back.search, { headers: NAIROBI });
}

test.each([
  ["en", "app", "user"],
  ["ar", "manager", "admin"],
  ["fr", "app", "user"],
  ["sw", "app", "user"],
] as const)(
  "adding a passkey sends a mail in %s, with device, location and a link to /%s",
  async (language, area, role) => {
    const say = translationsIn(language);
    const { user, browser } = await aSignedInUser(gatehouse, { language, role });

    await addPasskey(browser, newAuthenticator({ origin: gatehouse.origin }));

    const { subject, text, link } = await readMail(user.email);
    expect(subject).toBe(say("mail:methodAdded.subject"));
    const made = { name: "Firefox · Linux", product: "Gatehouse" };
    expect(text).toContain(say("mail:methodAdded.passkey", made));
    expect(text).toContain(say("mail:newDevice.device", { browser: "Firefox", system: "Linux" }));
    expect(text).toContain(say("mail:methodAdded.text"));
    expect(text).toContain("UTC");
    expect(link).toBe(`${gatehouse.origin}/${area}/account`);
    expect(await countMethodMails(user.email)).toBe(1);
  },
);

test("linking an account on the account screen sends one mail, with the location", async () => {
  const say = translationsIn("en");
  const { user, browser } = await aSignedInUser(gatehouse);
  provider.setVisitor({ email: user.email });
  const link = () => browser.submit("/app/account", { intent: "link", provider: "oidc" });

  await followCallback(browser, await link());
  await followCallback(browser, await link());

  const { text } = await readMail(user.email);
  const linked = { name: "Testpass", product: "Gatehouse" };
  expect(text).toContain(say("mail:methodAdded.account", linked));
  expect(text).toContain("Nairobi, Kenya");
  expect(await countMethodMails(user.email)).toBe(1);
});

test("an account's first sign-in to a known e-mail sends a mail; a sign-up does not", async () => {
  const known = await aUser(gatehouse);
  const signUp = newEmail("social");
  for (const email of [known.email, signUp, known.email, signUp]) {
    provider.setVisitor({ email });
    const browser = newBrowser(gatehouse);
    await followCallback(
      browser,
      await browser.submit("/login", { intent: "social", provider: "oidc" }),
    );
    expect((await browser.get("/login")).status).toBe(302);
  }

  expect([await countMethodMails(known.email), await countMethodMails(signUp)]).toEqual([1, 0]);
});

test("a passkey is added when its mail cannot be queued, and the error is logged", async () => {
  await using broken = await startGatehouse();
  broken.expectErrors("mail.not_queued");
  const { user, browser } = await aSignedInUser(broken);
  await broken.d1.prepare("DROP TABLE mail_outbox").run();

  const added = await addPasskey(browser, newAuthenticator({ origin: broken.origin }));

  expect(added.status).toBe(200);
  const passkeys = "SELECT count(*) AS n FROM passkey WHERE user_id = ?";
  expect(await broken.d1.prepare(passkeys).bind(user.id).first<number>("n")).toBe(1);
});
