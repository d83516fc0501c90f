import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { APP_TESTS } from "../support/app-tests.ts";
import type { Browser } from "../support/client.ts";
import { CALLS, FORMS, urlOf, valuesFor } from "../support/every-form.ts";
import { FEATURE_TESTS, featureUrls } from "../support/feature-tests.ts";
import { formsOf } from "../support/form-fields.ts";
import { inTurn } from "../support/matrix.ts";
import { anOrganization } from "../support/organizations.ts";
import { anAdmin, aUser, newEmail, openSession } from "../support/people.ts";
import { listUrls } from "../support/routes.ts";
import { startGatehouse } from "../support/worker.ts";

// Values that the platform refuses in a header, or D1 in a statement, in every input: what the
// product reads from URLs, cookies, forms and calls can reach `Location`, a cookie or an `IN` list.
// They are refused or ignored, and never an error.

const ROOT = resolve(import.meta.dirname, "../..");

const gatehouse = await startGatehouse({ vars: { PLAN: "paid" } });
afterAll(() => gatehouse[Symbol.asyncDispose]());

/** What `Headers` refuses, and what is no text of a URL. */
const TEXTS = {
  "control characters": "a\r\nSet-Cookie: b=c\0\u0001\u001b\u007f\u0085",
  "signs beyond latin-1": "é中🦩\u2028\u202e %E0%A4%A %",
  "a long text": "x".repeat(3_000),
};
/** Only JSON can hold it. */
const LONE_SURROGATE = "a\ud800b";
/** More than D1 binds in one statement. */
const MANY = 150;

/** The search params that the product reads: its own names in the source, and those of the specification. */
function listParams(): string[] {
  const files = globSync("app/**/*.{ts,tsx}", { cwd: ROOT, exclude: APP_TESTS });
  const names = new Set([
    "lng",
    "searchTerm",
    "newEmail",
    "passkey",
    "sent",
    "from",
    "to",
    "filterValue",
  ]);
  for (const file of files) {
    const source = readFileSync(join(ROOT, file), "utf8");
    for (const [, name] of source.matchAll(/\b(?:get|getAll|has)\("([A-Za-z]+)"/g)) {
      if (name) names.add(name);
    }
  }
  return [...names];
}

const { user, browser: admin } = await anAdmin(gatehouse);
const { organization, invitations } = await anOrganization(
  gatehouse,
  {},
  { owner: user, invitations: [{}] },
);
const world = {
  organization,
  invitation: invitations[0]?.id ?? "",
  ids: await featureUrls(gatehouse, organization),
};
const params = listParams();
const LISTS = ["/manager/users", "/manager/audit", "/manager/mail", "/manager/organizations"];

/** Fails on an answer of the server's own fault. */
async function expectNoFault(what: unknown, answer: Response) {
  await answer.arrayBuffer();
  expect([what, answer.status < 500]).toEqual([what, true]);
}

async function anAim() {
  const subject = await aUser(gatehouse);
  return { user: subject, email: newEmail(), role: "user", member: "nobody" };
}

test("the search params are found in the source", () => {
  expect(params).toEqual(
    expect.arrayContaining(["redirect", "next", "email", "sort", "after", "id"]),
  );
});

test.each(Object.entries(TEXTS))("%s in every search param is no error", async (name, text) => {
  const search = new URLSearchParams(params.map((param) => [param, text]));
  const aim = await anAim();

  for (const [index, { pattern }] of listUrls().entries()) {
    if (pattern === "/sign-out" || !inTurn(Object.keys(TEXTS), index).includes(name)) continue;
    const path = urlOf(pattern, world, aim).replace(/:\w+|\*/g, "nothing-has-this");
    await expectNoFault([name, path], await admin.get(`${path}?${search}`));
  }
});

test("many values of every search param are no error", async () => {
  for (const [index, param] of params.entries()) {
    const search = new URLSearchParams(
      Array.from({ length: MANY }, (_, count) => [param, `${index}-${count}`]),
    );
    for (const path of inTurn(LISTS, index)) {
      await expectNoFault([path, param], await admin.get(`${path}?${search}`));
    }
  }
});

/** Sends a form with one bad field after the other, and each time with a bad search. */
async function sendForms(pattern: string, text: string) {
  const shapes = (FORMS[pattern] ?? []).flatMap((form) =>
    Array.isArray(form)
      ? form.map(({ intent, ...others }) => ({ intent, fields: Object.keys(others) }))
      : formsOf(form),
  );
  for (const { intent, fields } of shapes) {
    // These end the session that sends the forms.
    if (intent === "revoke-all" || intent === "leave") continue;
    for (const bad of [undefined, ...fields]) {
      const aim = await anAim();
      const values = await valuesFor(gatehouse.d1, world, aim, pattern);
      const body = new URLSearchParams(intent ? { intent } : {});
      for (const name of fields) {
        const value = name === bad ? text : values[name];
        if (typeof value === "string" && value !== "") body.append(name, value);
      }
      const search = new URLSearchParams(params.map((param) => [param, text]));
      const path = `${urlOf(pattern, world, aim)}?${search}`;
      // An earlier form may have started an impersonation.
      await openSession(gatehouse, admin, user.id);
      await expectNoFault([pattern, intent, bad], await admin.submit(path, body));
    }
  }
}

test.each(Object.keys(FORMS).filter((pattern) => !/[*]|sign-out/.test(pattern)))(
  "bad values in the fields of %s are no error",
  async (pattern) => {
    await sendForms(pattern, TEXTS["control characters"] + TEXTS["signs beyond latin-1"]);
  },
);

/** The acts of features about chosen rows. */
const BULK_ACTS = FEATURE_TESTS.flatMap(({ acts = {} }) =>
  Object.entries(acts).flatMap(([path, posts]) =>
    posts.flatMap(([, { id, intent }]): [string, string][] =>
      id && intent ? [[path, intent]] : [],
    ),
  ),
);

test("more rows than D1 binds are chosen in every list", async () => {
  const ids = Array.from({ length: MANY }, (_, index): [string, string] => [
    "id",
    `nobody-${index}`,
  ]);

  for (const [pattern, intent] of [
    ...([
      ["/manager/users", "unban"],
      ["/manager/users", "ban"],
    ] as const),
    ...BULK_ACTS,
  ] as const) {
    const answer = await admin.submit(pattern, [["intent", intent], ...ids]);
    await expectNoFault([pattern, intent], answer);
  }
});

test.each(Object.keys(CALLS).filter((path) => !/sign-out|revoke|leave/.test(path)))(
  "bad values in the input of %s are no error",
  async (path) => {
    const aim = await anAim();
    const values = await valuesFor(gatehouse.d1, world, aim, path);
    const input = CALLS[path];
    for (const { fields } of input ? formsOf(input) : []) {
      for (const [index, bad] of fields.entries()) {
        const many = Array.from({ length: MANY }, (_, index) => `id-${index}`);
        const texts = [LONE_SURROGATE, TEXTS["control characters"], many];
        for (const value of inTurn(texts, index)) {
          const body = {
            ...Object.fromEntries(fields.map((name) => [name, values[name]])),
            [bad]: value,
          };
          const answer = await admin.api(`/api/auth${path}`, body);
          await expectNoFault([path, bad, value], answer);
        }
      }
    }
  },
);

test("bad values in every cookie are no error", async () => {
  const names = ["theme", "toast", "code-sent", "sidebar", "time-zone", "asker"];
  const own = [...names, "device", "ban", "pending-link", "admin_session"];
  for (const text of [
    ...Object.values(TEXTS).map((value) => encodeURIComponent(value.toWellFormed())),
    "%00",
    "%ff",
    "{}",
  ]) {
    const cookies = [...own.map((name) => `gatehouse.${name}`), "i18next"];
    const cookie = [...admin.cookies]
      .filter(([name]) => name.endsWith("session_token"))
      .concat(cookies.map((name) => [name, text]))
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
    for (const path of ["/login", "/app", "/manager/users", "/login/verify?email=a%40b.cc"]) {
      await expectNoFault([path, text], await getWith(admin, path, cookie));
    }
  }
});

function getWith(browser: Browser, path: string, cookie: string) {
  return browser.get(path, { headers: { cookie } });
}

test("the admin who sent all this was signed in to the end", async () => {
  expect((await admin.get("/manager/users")).status).toBe(200);
});
