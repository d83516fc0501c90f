import { afterAll, beforeEach, expect, test } from "vitest";
import { AGREED } from "../support/access-settings.ts";
import {
  accessibleError,
  locationOf,
  newBrowser,
  readText,
  toastOf,
  typedIn,
} from "../support/client.ts";
import { startIdentityProvider } from "../support/oidc.ts";
import { anOrganization } from "../support/organizations.ts";
import { readPage, textOf } from "../support/page.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  enterCode,
  newEmail,
} from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const SCREEN = "/manager/settings/access";
const BOSS = "boss@refused.example";
const provider = await startIdentityProvider();
const gatehouse = await startGatehouse({
  vars: { ...provider.vars, ADMIN_EMAILS: BOSS },
});
afterAll(async () => {
  await gatehouse[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
const { user: admin, browser: manager } = await anAdmin(gatehouse, {
  email: "amina@office.example",
});

/** Saves the access screen as an admin does. */
async function save(settings: Record<string, string>) {
  const version = await gatehouse.d1
    .prepare("SELECT version FROM site_setting")
    .first<number>("version");
  return manager.submit(SCREEN, { agreed: AGREED, ...settings, version: String(version) });
}

beforeEach(async () => {
  await gatehouse.d1.exec("DELETE FROM sign_in_code");
  await gatehouse.d1.exec("DELETE FROM rate_limit");
  await save({});
});

/** Asks for a code, and returns whether a mail was queued in the same request. */
async function getsCode(email: string): Promise<boolean> {
  await gatehouse.d1.prepare("DELETE FROM mail_outbox WHERE recipient = ?").bind(email).run();
  const asked = await newBrowser(gatehouse).submit("/login", { intent: "email", email });
  expect([email, asked.status]).toEqual([email, 302]);
  const count = await gatehouse.d1
    .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?")
    .bind(email)
    .first<number>("n");
  return count === 1;
}

async function anInvitee(): Promise<string> {
  const email = newEmail("invitee");
  await anOrganization(gatehouse, {}, { invitations: [{ email }] });
  return email;
}

async function anAdmitted(): Promise<string> {
  const email = newEmail("admitted");
  await gatehouse.d1.prepare("INSERT INTO admitted_email (email) VALUES (?)").bind(email).run();
  return email;
}

test("each mode lets in those it names, and always people with an account and ADMIN_EMAILS", async () => {
  const answers: Record<string, boolean[]> = {};
  for (const signUpMode of ["open", "invitation", "closed"]) {
    await save({ signUpMode, organizationsAdmit: "yes" });
    const emails = [
      newEmail("stranger"),
      await anInvitee(),
      await anAdmitted(),
      (await aUser(gatehouse)).email,
      BOSS,
    ];
    answers[signUpMode] = [];
    for (const email of emails) answers[signUpMode].push(await getsCode(email));
  }

  expect(answers).toEqual({
    open: [true, true, true, true, true],
    invitation: [false, true, true, true, true],
    closed: [false, false, false, true, true],
  });
});

test("domains are refused as the settings say", async () => {
  const ada = await aUser(gatehouse, { email: "ada@known.example" });
  const ask = async (emails: string[]) => {
    const answers: [string, boolean][] = [];
    for (const email of emails) answers.push([email, await getsCode(email)]);
    return answers.filter(([, isIn]) => isIn).map(([email]) => email);
  };

  await save({ blockedDomains: "Refused.example\nBücher.example" });
  expect(
    await ask([
      "a@refused.example",
      "a@mail.refused.example",
      "a@xn--bcher-kva.example",
      "a@notrefused.example",
      BOSS,
    ]),
  ).toEqual(["a@notrefused.example", BOSS]);

  await save({ allowedDomains: "office.example" });
  expect(
    await ask(["b@office.example", "b@sub.office.example", "b@else.example", ada.email]),
  ).toEqual(["b@office.example", ada.email]);
});

test("a refused e-mail costs the same database calls and gets the same answer as an admitted one", async () => {
  await save({ signUpMode: "invitation", blockedDomains: "refused.example" });
  const ask = async (email: string) => {
    const browser = newBrowser(gatehouse, { headers: { "x-d1-whole": "yes" } });
    const answers = [await browser.submit("/login", { intent: "email", email })];
    answers.push(await enterCode(browser, email, "000000"));
    return Promise.all(
      answers.map(async (answer) => [
        answer.status,
        (locationOf(answer) ?? "").replace(encodeURIComponent(email), "EMAIL"),
        answer.headers.get("x-d1-calls"),
        readText(await answer.text())
          .replaceAll(email, "EMAIL")
          .replace(/\d+/g, "N"),
      ]),
    );
  };
  await ask(newEmail("first"));

  const admitted = await ask(await anInvitee());
  expect(await ask("x@refused.example")).toEqual(admitted);
  expect(await ask(newEmail("stranger"))).toEqual(admitted);
});

test("a person whose e-mail is blocked after the code was sent gets no account", async () => {
  const email = "late@turned.example";
  const browser = newBrowser(gatehouse);
  await askForCode(browser, email);
  const code = await gatehouse.mailbox.codeFor(email);
  await save({ blockedDomains: "turned.example" });

  const entered = await enterCode(browser, email, code);

  expect(entered.status).toBe(400);
  expect(readText(await entered.text())).toContain("Code is invalid");
  const found = await gatehouse.d1.prepare("SELECT id FROM user WHERE email = ?").bind(email).all();
  expect(found.results).toEqual([]);
});

test("a provider brings no new person that the rules refuse", async () => {
  await save({ blockedDomains: "refused.example" });
  const come = async (email: string) => {
    const browser = newBrowser(gatehouse);
    provider.setVisitor({ email, name: "Sofía" });
    const pressed = await browser.submit("/login", { intent: "social", provider: "oidc" });
    const back = new URL(await provider.visit(pressed.headers.get("location") ?? ""));
    return locationOf(await browser.get(back.pathname + back.search));
  };

  expect(await come("sofia@refused.example")).toContain("/login/error?error=signup_disabled");
  expect(await come("sofia@welcome.example")).toBe("/onboarding");
});

test("a change is saved, shown and on record from old to new, and the login page follows at once", async () => {
  const titleOf = async () => readText(await (await newBrowser(gatehouse).get("/login")).text());
  expect(await titleOf()).toContain("Login or Sign Up");

  const saved = await save({ signUpMode: "closed", blockedDomains: "b.example a.example" });

  expect(await toastOf(manager, saved)).toBe("Settings saved.");
  expect(await titleOf()).not.toContain("Login or Sign Up");
  const page = await (await manager.get(SCREEN)).text();
  expect(typedIn(page, "blockedDomains")).toBe("a.example\nb.example");
  const events = await gatehouse.d1
    .prepare(
      "SELECT actor_id, details FROM audit_event WHERE action = 'settings.changed' ORDER BY created_at DESC LIMIT 1",
    )
    .first<{ actor_id: string; details: string }>();
  expect(events?.actor_id).toBe(admin.id);
  expect(JSON.parse(events?.details ?? "")).toEqual({
    before: { signUpMode: null, blockedDomains: "" },
    after: { signUpMode: "closed", blockedDomains: "a.example, b.example" },
  });
});

/** Returns the consequences on the access screen, and the names that its form posts as read. */
async function consequencesIn(response: Response) {
  const page = await response.text();
  const { document } = readPage(page);
  return {
    status: response.status,
    said: [...document.querySelectorAll("[role=status] li")].map(textOf),
    agreed: document.querySelector("input[name=agreed]")?.getAttribute("value") ?? "",
  };
}

test("the first press says which invitations a save ends, counted as the rules count, and the second saves", async () => {
  await gatehouse.d1.exec("DELETE FROM invitation; DELETE FROM admitted_email;");
  const settings = { signUpMode: "invitation", blockedDomains: "refused.example", agreed: "" };
  const known = await aUser(gatehouse);
  const expired = { email: newEmail("late"), expires_at: Date.now() - 1 };
  const invitations = [
    ...[{ email: newEmail("one") }, { email: "two@mail.refused.example" }],
    ...[{ email: known.email }, expired, { email: BOSS }],
  ];
  await anOrganization(gatehouse, {}, { invitations });
  // In this mode the site's admins still invite.
  await anOrganization(
    gatehouse,
    {},
    { owner: admin, invitations: [{ email: newEmail("by-site") }, { email: "a@refused.example" }] },
  );
  const approved = await anAdmitted();

  const first = await consequencesIn(await save(settings));

  expect(first).toEqual({
    status: 400,
    said: [
      "3 pending invitations stop working: they no longer open an account.",
      "Nothing is saved yet. Save once more to go on.",
    ],
    agreed: "invitations",
  });
  expect(await getsCode(newEmail("stranger"))).toBe(true);
  expect(locationOf(await save({ ...settings, agreed: first.agreed }))).toBe(SCREEN);
  const answers: boolean[] = [];
  for (const { email } of invitations) answers.push(await getsCode(email));
  expect(answers).toEqual([false, false, true, false, true]);
  expect(await getsCode(approved)).toBe(true);

  const closing = await consequencesIn(await save({ signUpMode: "closed", agreed: "" }));
  expect(closing.said).toEqual([
    "1 pending invitation stops working: it no longer opens an account.",
    "1 approved person without an account can no longer create one.",
    "Nothing is saved yet. Save once more to go on.",
  ]);
});

test("the first press says how many people a version of the terms asks, and that the manager is one", async () => {
  const terms = { termsUrl: "https://example.com/terms", termsVersion: "2026-11" };
  const count = await gatehouse.d1
    .prepare("SELECT count(*) AS n FROM user WHERE onboarded_at IS NOT NULL")
    .first<number>("n");

  const first = await consequencesIn(await save({ ...terms, agreed: "" }));

  expect(first.said[0]).toBe(
    `${count} people will be asked to accept the terms, you too, at the next page.`,
  );
  expect(first.agreed).toBe("termsAndYou");
  // Without a new version no user is asked again.
  const links = await save({ termsUrl: terms.termsUrl, agreed: "" });
  expect(locationOf(links)).toBe(SCREEN);
});

test("what follows is told while the settings are chosen, to those who may save them", async () => {
  await gatehouse.d1.exec("DELETE FROM invitation; DELETE FROM admitted_email;");
  await anInvitee();
  const ask = (browser: typeof manager, typed: string) =>
    browser.get(
      `/_server/access-consequences?${new URLSearchParams({ payload: JSON.stringify({ typed }) })}`,
    );

  expect(await (await ask(manager, "signUpMode=closed&version=1&termsUrl=")).json()).toEqual({
    result: [{ kind: "invitations", count: 1 }],
  });
  expect(await (await ask(manager, "signUpMode=open&blockedDomains=x")).json()).toEqual({
    result: [],
  });
  const { browser: other } = await aSignedInUser(gatehouse);
  expect((await ask(other, "signUpMode=closed")).status).toBe(403);
});

test("the installation's mode is a note on its choice, and saving it follows the installation again", async () => {
  const { document } = readPage(await (await manager.get(SCREEN)).text());
  const radios = [...document.querySelectorAll("input[name=signUpMode]")];
  expect(
    radios.map((radio) => [radio.getAttribute("value"), radio.hasAttribute("checked")]),
  ).toEqual([
    ["open", true],
    ["invitation", false],
    ["closed", false],
  ]);
  const hint = document.querySelector(`[id="${radios[0]?.getAttribute("aria-describedby")}"]`);
  expect(textOf(hint)).toContain("As installed");
  const stored = () =>
    gatehouse.d1
      .prepare("SELECT sign_up_mode AS mode FROM site_setting")
      .first<string | null>("mode");

  await save({ signUpMode: "closed" });
  expect(await stored()).toBe("closed");
  await save({ signUpMode: "open" });
  expect(await stored()).toBeNull();
});

test.each([
  [
    "allowedDomains",
    "office.example not_a_domain",
    '"not_a_domain" is not a domain. Enter one like example.com.',
  ],
  [
    "blockedDomains",
    "office.example",
    "office.example is both allowed and blocked. Remove it from one list.",
  ],
  ["termsUrl", "http://example.com/terms", "Use a link that begins with https://"],
  ["termsUrl", "javascript:alert(1)", "Use a link that begins with https://"],
  ["privacyUrl", "example", "Use a link that begins with https://"],
])(
  "%s refuses %j beside the field, keeps what was typed and saves nothing",
  async (name, typed, message) => {
    const response = await save({
      allowedDomains: "office.example",
      [name]: typed,
      termsVersion: "",
    });

    expect(response.status).toBe(400);
    const page = await response.text();
    expect(accessibleError(page, name)).toBe(message);
    expect(typedIn(page, name)).toBe(typed);
    const { results } = await gatehouse.d1.prepare("SELECT * FROM access_domain").all();
    expect(results).toEqual([]);
  },
);

test("a version of the terms needs a link, and a manager whose own domain is refused is warned", async () => {
  const unlinked = await save({ termsVersion: "2026-11" });
  const refused = await unlinked.text();
  expect(accessibleError(refused, "termsUrl")).toBe("A version needs a link to the terms");
  // The button stays in view, beside a link to the field.
  expect(refused).toMatch(/<a href="#field-termsUrl"[^>]*>1 field needs your attention</);

  await save({ blockedDomains: "office.example" });
  const page = readText(await (await manager.get(SCREEN)).text());
  expect(page).toContain("the domain of your own email, cannot sign up.");
});

test("of two admins who save at once one sees the other's values and changes nothing", async () => {
  const { browser: other } = await anAdmin(gatehouse);
  const version = await gatehouse.d1
    .prepare("SELECT version FROM site_setting")
    .first<number>("version");
  const form = { version: String(version) };
  const [first, second] = await Promise.all([
    manager.submit(SCREEN, { ...form, blockedDomains: "one.example" }),
    other.submit(SCREEN, { ...form, blockedDomains: "two.example" }),
  ]);

  expect([first.status, second.status].sort()).toEqual([302, 409]);
  const { results } = await gatehouse.d1
    .prepare("SELECT domain FROM access_domain")
    .all<{ domain: string }>();
  expect(results).toHaveLength(1);
  const refused = first.status === 409 ? first : second;
  expect(readText(await refused.text())).toContain(results[0]?.domain);
});
