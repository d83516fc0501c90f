import { passkey } from "@better-auth/passkey";
import { betterAuth } from "better-auth/minimal";
import { admin } from "better-auth/plugins/admin";
import { captcha } from "better-auth/plugins/captcha";
import { emailOTP } from "better-auth/plugins/email-otp";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import { organization } from "better-auth/plugins/organization";
import { afterAll, expect, test } from "vitest";
import { PASSKEY_CONFIRM_PATH } from "../../app/features/auth/sign-in/passkey-call.server.ts";
import { locationOf, newBrowser } from "../support/client.ts";
import { openEndpoints } from "../support/endpoints.ts";
import { anAdmin, aSignedInUser, aUser, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

/** The callback of the providers; social.test.ts covers it. */
const CALLBACK = "/callback/:id";

/** Every path of the installed better-auth with the product's plugins, and of some more features. */
const everyPath = listPaths();

function listPaths(): string[] {
  const { api } = betterAuth({
    secret: "a secret that is only here to build the list",
    baseURL: "http://localhost",
    emailAndPassword: { enabled: true },
    plugins: [
      emailOTP({ sendVerificationOTP: async () => {} }),
      captcha({ provider: "cloudflare-turnstile", secretKey: "-" }),
      admin(),
      organization({ teams: { enabled: true }, dynamicAccessControl: { enabled: true } }),
      genericOAuth({ config: [] }),
      passkey(),
    ],
  });
  const endpoints: { path?: string }[] = Object.values(api);
  return [...new Set(endpoints.flatMap(({ path }) => (path ? [path] : [])))].sort();
}

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);

test("the list of paths is read from the installed better-auth", () => {
  const open = Object.keys(openEndpoints).filter((path) => path !== PASSKEY_CONFIRM_PATH);
  expect(everyPath).toEqual(expect.arrayContaining(open));
  expect(everyPath).toEqual(
    expect.arrayContaining([
      "/sign-in/email",
      "/update-user",
      "/admin/list-users",
      "/organization/create-role",
      "/organization/get-organization",
      "/email-otp/check-verification-otp",
      "/passkey/delete-passkey",
      "/passkey/list-user-passkeys",
    ]),
  );
  expect(everyPath.length).toBeGreaterThan(70);
});

test("better-auth's own check of its health answers, and its error page is the product's", async () => {
  const browser = newBrowser(gatehouse);

  const ok = await browser.get("/api/auth/ok");
  const failed = await browser.get("/api/auth/error?error=access_denied");

  expect([ok.status, await ok.json()]).toEqual([200, { ok: true }]);
  expect(locationOf(failed)).toBe("/login/error?error=access_denied");
  expect((await browser.api("/api/auth/error")).status).toBe(404);
});

test.each(
  everyPath.filter((path) => !(path in openEndpoints) && ![CALLBACK, "/error"].includes(path)),
)("%s is not offered, not even to an admin", async (path) => {
  const url = `/api/auth${path.replace(/:\w+/g, "x")}`;
  for (const response of [await manager.get(url), await manager.api(url)]) {
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "NOT_FOUND" });
  }
});

test.each([
  "/api/auth",
  "/api/auth/",
  "/api/auth/nothing",
  "/api/auth/sign-out/",
  "/api/auth//sign-out",
  "/api/auth/SIGN-OUT",
  "/api/auth/sign-out%2f",
  "/api/auth/__proto__",
  "/api/auth/constructor",
  "/api/auth/callback/evil",
  "/api/auth/callback/oidc/more",
])("%s answers 404", async (path) => {
  const response = await manager.api(path);

  expect(response.status).toBe(404);
});

test.each(Object.entries(openEndpoints))(
  "%s answers %s and no other method",
  async (path, method) => {
    const browser = newBrowser(gatehouse);
    for (const other of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
      if (other === method || (method === "GET" && other === "HEAD")) continue;
      const response = await browser.request(`/api/auth${path}`, { method: other });
      expect([other, response.status]).toEqual([other, 405]);
      expect(response.headers.get("allow")).toBe(method);
    }
  },
);

test("the API sends codes and signs in by the rules of the forms", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();

  const asked = await browser.api("/api/auth/email-otp/send-verification-otp", {
    email: ` ${email.toUpperCase()} `,
    type: "sign-in",
  });
  expect(await asked.json()).toEqual({ success: true });
  const code = await gatehouse.mailbox.codeFor(email);
  const otp = `${code.slice(0, 3)}-${code.slice(3)}`;
  const answer = await browser.api("/api/auth/sign-in/email-otp", { email, otp });

  expect(answer.status).toBe(200);
  const body = await answer.json();
  expect(body).toMatchObject({ user: { email } });
  expect((await browser.get("/onboarding")).status).toBe(200);
  const token = browser.cookies.get("gatehouse.session_token")?.split(".")[0] ?? "";
  expect(token).toHaveLength(32);
  expect(JSON.stringify(body)).not.toContain(token);
});

test.each([
  ["/email-otp/send-verification-otp", {}, "INVALID_EMAIL"],
  ["/email-otp/send-verification-otp", { email: "x", type: "sign-in" }, "INVALID_EMAIL"],
  ["/email-otp/send-verification-otp", { email: ["a@b.cd"], type: "sign-in" }, "INVALID_EMAIL"],
  ["/email-otp/send-verification-otp", { email: { $ne: "" } }, "INVALID_EMAIL"],
  [
    "/email-otp/send-verification-otp",
    { email: "a@example.com", type: "forget-password" },
    "INVALID_PAYLOAD",
  ],
  [
    "/email-otp/send-verification-otp",
    { email: "a@example.com", type: "change-email" },
    "INVALID_PAYLOAD",
  ],
  ["/email-otp/send-verification-otp", [], "INVALID_PAYLOAD"],
  ["/email-otp/send-verification-otp", "text", "INVALID_PAYLOAD"],
  ["/email-otp/send-verification-otp", null, "INVALID_PAYLOAD"],
  ["/sign-in/email-otp", { email: "a@example.com" }, "INVALID_OTP"],
  ["/sign-in/email-otp", { email: "a@example.com", otp: 123456 }, "INVALID_OTP"],
  ["/sign-in/email-otp", { email: "a@example.com", otp: "12345" }, "INVALID_OTP"],
  ["/sign-in/email-otp", { otp: "123456" }, "INVALID_EMAIL"],
  ["/sign-in/social", {}, "INVALID_PAYLOAD"],
  ["/sign-in/social", { provider: 7 }, "INVALID_PAYLOAD"],
])("%s with %j is refused as %s", async (path, body, code) => {
  const response = await newBrowser(gatehouse).api(`/api/auth${path}`, body);

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code });
});

test("signing up through the API saves only the e-mail and the name", async () => {
  const browser = newBrowser(gatehouse);
  const email = newEmail();
  await browser.api("/api/auth/email-otp/send-verification-otp", { email, type: "sign-in" });
  const otp = await gatehouse.mailbox.codeFor(email);

  await browser.api("/api/auth/sign-in/email-otp", {
    email,
    otp,
    name: "Sneaky",
    role: "admin",
    image: "https://evil.example/x.png",
    onboardedAt: 1,
    banned: false,
    id: "mine",
  });

  const row = await gatehouse.d1.prepare("SELECT * FROM user WHERE email = ?").bind(email).first();
  expect(row).toMatchObject({ name: "Sneaky", role: "user", image: null });
  expect(row?.onboarded_at).not.toBe(1);
  expect(row?.id).not.toBe("mine");
});

test("a provider that is not configured is not found", async () => {
  for (const provider of ["github", "google", "oidc", "facebook", "__proto__"]) {
    const response = await newBrowser(gatehouse).api("/api/auth/sign-in/social", { provider });
    expect([provider, response.status]).toEqual([provider, 404]);
  }
});

test("a banned user gets the error code BANNED_USER", async () => {
  const { email } = await aUser(gatehouse, { banned: 1 });
  const browser = newBrowser(gatehouse);
  await browser.api("/api/auth/email-otp/send-verification-otp", { email, type: "sign-in" });
  const otp = await gatehouse.mailbox.codeFor(email);

  const response = await browser.api("/api/auth/sign-in/email-otp", { email, otp });

  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: "BANNED_USER" });
});

test("get-session with the cookie of an ended session answers null", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  await browser.api("/api/auth/sign-out");

  const response = await browser.get("/api/auth/get-session");

  expect(response.status).toBe(200);
  expect(await response.json()).toBeNull();
});
