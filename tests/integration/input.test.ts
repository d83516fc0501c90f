import { afterAll, expect, test } from "vitest";
import {
  accessibleError,
  alertsOf,
  locationOf,
  newBrowser,
  sendRefused,
} from "../support/client.ts";
import { anOrganization } from "../support/organizations.ts";
import { anAdmin, aSignedInUser, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const say = translationsIn("en");
const MEGABYTE = "x".repeat(1_048_576);

// Any error in the log fails these tests when the worker is disposed of.
const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: newcomer } = await aSignedInUser(gatehouse, { onboarded_at: null });
const { browser: user } = await aSignedInUser(gatehouse);

const verify = `/login/verify?email=${encodeURIComponent(newEmail())}`;
/** Every URL that takes a form, and a browser that may post there. */
const FORMS: [url: string, browser: () => ReturnType<typeof newBrowser>][] = [
  ["/login", () => newBrowser(gatehouse)],
  [verify, () => newBrowser(gatehouse)],
  ["/onboarding", () => newcomer],
  ["/preferences", () => newBrowser(gatehouse)],
];
/** Every URL that takes JSON. */
const CALLS = [
  "/api/auth/email-otp/send-verification-otp",
  "/api/auth/sign-in/email-otp",
  "/api/auth/sign-in/social",
  "/_server/email-availability",
];

async function expectRefusal(response: Response): Promise<void> {
  const text = await response.text();
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  expect(text).not.toMatch(/\bat .+:\d+:\d+|ZodError|SyntaxError|TypeError|node_modules/);
}

const FORM_TYPE = "application/x-www-form-urlencoded";

test.each<[string, string | undefined, BodyInit | undefined, number]>([
  ["missing", undefined, undefined, 415],
  ["JSON", "application/json", '{"intent":"email"}', 415],
  ["plain text", "text/plain", "intent=email", 415],
  ["XML", "application/xml", "<intent/>", 415],
  ["of an unknown type", "nonsense", "intent=email", 415],
  ["multipart without a boundary", "multipart/form-data", "intent=email", 400],
  ["broken multipart", "multipart/form-data; boundary=x", "intent=email", 400],
  ["a megabyte", FORM_TYPE, `intent=email&email=${MEGABYTE}`, 413],
])("every form refuses a body that is %s", async (_name, type, body, status) => {
  for (const [url, browser] of FORMS) {
    const response = await sendRefused(() =>
      browser().request(url, {
        method: "POST",
        body: body === undefined ? undefined : new TextEncoder().encode(String(body)),
        headers: type ? { "content-type": type } : {},
      }),
    );
    expect([url, response.status]).toEqual([url, status]);
    await expectRefusal(response);
  }
});

test.each([
  ["nothing", ""],
  ["no intent", "value=dark"],
  ["an unknown intent", "intent=destroy"],
  ["an intent twice", "intent=email&intent=social"],
  ["an object's control field", "__intent__=x&__state__=x"],
  ["an array", "intent=email&email[]=a%40example.com"],
  ["an array by index", "intent=email&email[0]=a%40example.com"],
  ["an object", "intent=email&email.x=1"],
  ["a very deep object", `intent=email&${Array(500).fill("a").join(".")}=1`],
  ["a huge index", "intent=email&email[4294967294]=x"],
  ["prototype keys", "__proto__=1&constructor.prototype.x=1&__proto__.polluted=1&intent=__proto__"],
  ["a broken escape", "intent=email&email=%E0%A4%A"],
  ["a lone surrogate", "intent=email&email=%ED%A0%80%40example.com"],
  ["a zero byte", "intent=email&email=a%00%40example.com"],
])("a form with %s is answered with 4xx or does nothing", async (_name, body) => {
  for (const [url, browser] of FORMS) {
    const response = await browser().request(url, {
      method: "POST",
      body,
      headers: { "content-type": FORM_TYPE },
    });
    // Preferences always redirect back.
    if (url === "/preferences") expect(response.headers.get("location")).toBe("/");
    else await expectRefusal(response);
  }
});

test("the login form without an intent continues with the e-mail", async () => {
  const email = newEmail();

  const response = await newBrowser(gatehouse).submit("/login", { email });

  expect(locationOf(response)).toBe(`/login/verify?${new URLSearchParams({ email })}`);
});

test("the first value of a repeated field counts", async () => {
  const email = newEmail();

  const response = await newBrowser(gatehouse).submit("/login", [
    ["intent", "email"],
    ["email", email],
    ["email", newEmail()],
    ["intent", "social"],
  ]);

  expect(locationOf(response)).toBe(`/login/verify?${new URLSearchParams({ email })}`);
});

const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { organization } = await anOrganization(gatehouse);
test.each<[string, string, string, () => ReturnType<typeof newBrowser>]>([
  ["no intent", "x=1", verify, () => newBrowser(gatehouse)],
  ["an unknown intent", "intent=x", "/login", () => newBrowser(gatehouse)],
  [
    "a hidden field too long",
    `intent=social&provider=${"x".repeat(51)}`,
    "/login",
    () => newBrowser(gatehouse),
  ],
  ["no intent", "name=Zuri", "/app/account", () => user],
  ["no session", "intent=revoke", "/app/account", () => user],
  ["no intent", "code=1", "/app/account/delete", () => user],
  ["no intent", "reason=x", `/manager/users/${admin.id}`, () => manager],
  ["no session", "intent=revoke", `/manager/users/${admin.id}`, () => manager],
  [
    "no version",
    `name=Zuri&email=${encodeURIComponent(admin.email)}&role=admin`,
    `/manager/users/${admin.id}/update`,
    () => manager,
  ],
  ["no intent", "x=1", `/manager/organizations/${organization.id}`, () => manager],
  [
    "no version",
    "intent=rename&name=x&slug=x-1",
    `/manager/organizations/${organization.id}`,
    () => manager,
  ],
])("a form with %s (%s) at %s gets a message above it", async (_name, body, url, browser) => {
  const response = await browser().request(url, {
    method: "POST",
    body,
    headers: { "content-type": FORM_TYPE },
  });

  expect(response.status).toBe(400);
  expect(alertsOf(await response.text())).toEqual([say("validation:form.incomplete")]);
});

test("a file in a text field is refused", async () => {
  for (const [url, browser] of FORMS) {
    const form = new FormData();
    form.set("intent", "email");
    form.set("email", new File(["a@example.com"], "email.txt"));
    form.set("name", new File(["Zuri"], "name.txt"));
    const response = await browser().request(url, { method: "POST", body: form });
    if (url === "/preferences") expect(response.headers.get("location")).toBe("/");
    else await expectRefusal(response);
  }
});

test("typed input is returned as text, and cut when it is too long", async () => {
  const typed = `"><script>alert(1)</script>`;
  const response = await newBrowser(gatehouse).submit("/login", { intent: "email", email: typed });
  const page = await response.text();
  expect(page).not.toContain("<script>alert");
  expect(page).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");

  const long = await newBrowser(gatehouse).submit("/login", {
    intent: "email",
    email: "x".repeat(100_000),
  });
  expect(long.status).toBe(400);
  const runs = ((await long.text()).match(/x{100,}/g) ?? []).map(({ length }) => length);
  expect(runs.length).toBeGreaterThan(0);
  expect(Math.max(...runs)).toBe(5_000);
});

test("a name of 200,000 characters is refused beside the field, not as too large", async () => {
  const response = await newcomer.submit("/onboarding", { name: "x".repeat(200_000) });

  expect(response.status).toBe(400);
  expect(accessibleError(await response.text(), "name")).toBe("Must be at most 100 characters");
});

test.each<[string, string | undefined, string, number]>([
  ["broken", "application/json", "{", 400],
  ["not JSON", "application/json", "email=a", 400],
  ["text", "text/plain", '{"email":"a@example.com"}', 415],
  ["a form", FORM_TYPE, "email=a%40example.com", 415],
  ["without a type", undefined, '{"email":"a@example.com"}', 415],
  ["a megabyte", "application/json", JSON.stringify({ email: MEGABYTE }), 413],
  ["very deep", "application/json", `{"email":${"[".repeat(7_000)}${"]".repeat(7_000)}}`, 400],
  ["with prototype keys", "application/json", '{"__proto__":{"email":"a@example.com"}}', 400],
  ["of wrong types", "application/json", '{"email":{},"otp":[],"provider":null,"payload":7}', 400],
  ["with a lone surrogate", "application/json", '{"email":"\\ud800@example.com","otp":"1"}', 400],
  ["an array", "application/json", "[]", 400],
  ["a number", "application/json", "7", 400],
  ["null", "application/json", "null", 400],
])("every endpoint refuses a body that is %s", async (_name, type, body, status) => {
  for (const url of CALLS) {
    const response = await sendRefused(() =>
      user.request(url, {
        method: "POST",
        body: new TextEncoder().encode(body),
        headers: type ? { "content-type": type } : {},
      }),
    );
    const expected = url.startsWith("/_server") && status === 400 ? [400, 403] : [status];
    expect(expected).toContain(response.status);
    expect(response.headers.get("content-type")).toContain("application/json");
    await expectRefusal(response);
  }
});

test.each([
  ["cut", "gatehouse.session_token"],
  ["empty", "gatehouse.session_token=; i18next=; gatehouse.theme=; gatehouse.toast="],
  [
    "broken escapes",
    "gatehouse.session_token=%E0%A4%A; i18next=%; gatehouse.toast=%; gatehouse.theme=%",
  ],
  ["JSON", 'gatehouse.toast={"kind":"success"}; gatehouse.code-sent={}; gatehouse.ban=[]'],
  ["prototype keys", "__proto__=1; constructor=2; i18next=__proto__; gatehouse.theme=__proto__"],
  ["unsigned values", "gatehouse.theme=eyJ0aGVtZSI6ImRhcmsifQ==.forged"],
  ["a time from nowhere", "gatehouse.code-sent=NaN; gatehouse.code-sent=1e400"],
  ["a huge value", `i18next=${"x".repeat(8_000)}`],
  ["odd separators", ";;; =; =x; a=b=c; ;"],
])("cookies that are %s cause no error", async (_name, cookie) => {
  for (const url of [
    "/login",
    verify,
    "/login/error?error=BANNED_USER",
    "/nothing",
    "/api/auth/get-session",
  ]) {
    const response = await newBrowser(gatehouse).get(url, { headers: { cookie } });
    expect(response.status).toBe(url === "/nothing" ? 404 : 200);
  }
});
