import { afterAll, expect, test } from "vitest";
import { type Browser, locationOf, newBrowser, readText, toastOf } from "../support/client.ts";
import { startIdentityProvider } from "../support/oidc.ts";
import { aSignedInUser, aUser, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const provider = await startIdentityProvider();
const gatehouse = await startGatehouse({
  vars: { ...provider.vars, OIDC_EMAIL_DOMAINS: "staff.example, Partner.example" },
});
const open = await startGatehouse({ vars: provider.vars });
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await open[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

async function signInThroughProvider(browser: Browser): Promise<Response> {
  const pressed = await browser.submit("/login", { intent: "social", provider: "oidc" });
  const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
  return browser.get(back.pathname + back.search);
}

async function countAccounts(): Promise<number> {
  const rows = gatehouse.d1.prepare("SELECT count(*) AS n FROM account");
  return (await rows.first<{ n: number }>())?.n ?? 0;
}

test.each(["admin@other.example", "admin@sub.staff.example", "admin@notstaff.example"])(
  "the provider does not sign in %s, which is of no domain of its own, also as a verified admin's",
  async (email) => {
    await aUser(gatehouse, { email, role: "admin" });
    provider.setVisitor({ email });
    const browser = newBrowser(gatehouse);

    const back = await signInThroughProvider(browser);

    const search = new URLSearchParams({ error: "EMAIL_DOMAIN_NOT_ALLOWED", email });
    expect(locationOf(back)).toBe(`/login/error?${search}`);
    const page = readText(await (await browser.follow(back)).text());
    expect(page).toContain("Its domain is not one that this provider may sign in.");
    expect(page).toContain(email);
    expect((await browser.get("/app")).status).toBe(302);
    expect(await countAccounts()).toBe(0);
  },
);

test("the provider signs in an e-mail of its domains, in any case", async () => {
  const { email } = await aUser(gatehouse, { email: "ada@partner.example" });
  provider.setVisitor({ email: "Ada@PARTNER.example" });
  const browser = newBrowser(gatehouse);

  expect(locationOf(await signInThroughProvider(browser))).toBe("/app");
  expect(email).toBe("ada@partner.example");
  await gatehouse.d1.prepare("DELETE FROM account").run();
});

test("a linked account signs in no more when its e-mail at the provider leaves the domains", async () => {
  await aUser(gatehouse, { email: "ina@staff.example" });
  provider.setVisitor({ email: "ina@staff.example" });
  await signInThroughProvider(newBrowser(gatehouse));
  provider.setVisitor({ email: "ina@staff.example", claimed: "ina@other.example" });
  const browser = newBrowser(gatehouse);

  const back = await signInThroughProvider(browser);

  expect(locationOf(back)).toContain("error=EMAIL_DOMAIN_NOT_ALLOWED");
  expect((await browser.get("/app")).status).toBe(302);
  await gatehouse.d1.prepare("DELETE FROM account").run();
});

test("an account of another domain is not linked, and the account page says why", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { email: "leo@other.example" });
  provider.setVisitor({ email: user.email });
  const started = await browser.api("/api/auth/link-social", { provider: "oidc" });
  const { url }: { url: string } = JSON.parse(await started.text());
  const back = new URL(await provider.visit(url));

  const ended = await browser.get(back.pathname + back.search);

  expect(await toastOf(browser, ended)).toContain("this domain can't be used here");
  expect(await countAccounts()).toBe(0);
});

test("a provider that names no e-mail is said to have named none", async () => {
  provider.setVisitor({ email: newEmail(), claimed: null });
  const browser = newBrowser(open);

  const back = await signInThroughProvider(browser);

  expect(locationOf(back)).toBe("/login/error?error=email_not_found");
  const page = readText(await (await browser.follow(back)).text());
  expect(page).toContain("The provider did not share an email address");
  expect(page).not.toContain("try again");
});
