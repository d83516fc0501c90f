import { request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { locationOf, newBrowser, readText, setCookieOf } from "../support/client.ts";
import { readPage, textOf } from "../support/page.ts";
import { aSignedInUser } from "../support/people.ts";
import { listUrls } from "../support/routes.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

/** Returns the environment bar: the region that has a colour of its own. */
function barOf(page: string): Element | undefined {
  const regions = readPage(page).findAll("region");
  return regions.find((region) => region.hasAttribute("style"));
}

async function openLogin(target: Gatehouse): Promise<string> {
  return (await newBrowser(target).get("/login")).text();
}

test("without an environment name a page has neither prefix nor bar", async () => {
  const page = await openLogin(gatehouse);

  expect(readPage(page).title()).toBe("Login or Sign Up · Gatehouse");
  expect(barOf(page)).toBeUndefined();
});

test.each([
  [{ ENVIRONMENT_NAME: "Staging" }, "[Staging] Login", "Staging", "#ab4aba"],
  [
    { ENVIRONMENT_NAME: "QA", ENVIRONMENT_EMOJI: "🚧", ENVIRONMENT_COLOR: "teal" },
    "🚧 Login",
    "QA",
    "#12a594",
  ],
  [{ ENVIRONMENT_EMOJI: "🚧" }, "🚧 Login", undefined, undefined],
  [{ ENVIRONMENT_NAME: '<b>"Q&A"' }, '[<b>"Q&A"] Login', '<b>"Q&A"', "#ab4aba"],
])("the environment %j shows in title and bar", async (vars, title, name, color) => {
  await using target = await startGatehouse({ vars });

  const page = await openLogin(target);
  const missing = await (await newBrowser(target).get("/nothing")).text();

  expect(readPage(page).title()).toBe(`${title} or Sign Up · Gatehouse`);
  expect(readPage(missing).title().startsWith(title.replace(" Login", ""))).toBe(true);
  for (const html of [page, missing]) {
    const bar = barOf(html);
    expect(bar && textOf(bar)).toBe(name);
    expect(bar?.getAttribute("style") ?? undefined).toBe(color && `background:${color}`);
  }
});

// `config.test.ts` has the other settings.
test.each([
  [{ BETTER_AUTH_SECRET: undefined }, "BETTER_AUTH_SECRET", ""],
  [{ BASE_URL: "http://gatehouse.example" }, "BASE_URL", "http://gatehouse.example"],
  [{ GITHUB_CLIENT_ID: "iv1.x" }, "GITHUB_CLIENT_SECRET", "iv1.x"],
])(
  "an error with the setting %j names it in the response and the log, without its value",
  async (vars, name, value) => {
    await using target = await startGatehouse({ vars });
    target.expectErrors("configuration.incomplete");

    const response = await newBrowser(target).get("/login");

    expect(response.status).toBe(503);
    const text = readText(await response.text());
    expect(text).toContain(name);
    if (value) expect(text).not.toContain(value);
    const line = await target.logged("configuration.incomplete");
    expect(line.reason).toContain(name);
    if (value) expect(line.text).not.toContain(value);
  },
);

test("a worker without settings says in the reader's language what is missing and which command sets it", async () => {
  await using fresh = await startGatehouse({
    mail: "local",
    vars: { BASE_URL: "http://localhost:8787", BETTER_AUTH_SECRET: undefined },
  });
  fresh.expectErrors("configuration.incomplete");
  const response = await newBrowser(fresh, { language: "fr" }).get("/");
  const page = readPage(await response.text());

  expect(response.status).toBe(503);
  expect(page.rootAttribute("lang")).toBe("fr");
  expect(page.find("heading")?.textContent).toBe("Ce site n’est pas encore configuré");
  expect(page.text()).toContain("BETTER_AUTH_SECRET");
  expect(page.text()).toContain("npm run setup -- --trial");
  const health = await getUnderHost(fresh, "gatehouse.example.workers.dev", "/health");
  expect(health.body).toMatch(
    /^Configuration is incomplete. BETTER_AUTH_SECRET: .+; BASE_URL: .+; RESEND_API_KEY: /,
  );
});

test("a worker configured for localhost shows no inbox under another host", async () => {
  await using local = await startGatehouse({ mail: "local" });
  local.expectErrors("configuration.incomplete");

  const answer = await getUnderHost(local, "gatehouse.example", "/dev/inbox");

  expect(answer.status).toBe(503);
  expect(answer.body).toContain("RESEND_API_KEY");
  expect(answer.body).toContain("BASE_URL");
  expect((await newBrowser(local).get("/dev/inbox")).status).toBe(200);
});

test("the screens of /dev exist on a loopback host without a mail provider only", async () => {
  await using local = await startGatehouse({ mail: "local" });
  const statusOf = async (target: Gatehouse, path: string) =>
    (await newBrowser(target).get(path)).status;

  const paths = listUrls()
    .map(({ pattern }) => pattern)
    .filter((pattern) => pattern.startsWith("/dev/"));
  expect(paths).toEqual(expect.arrayContaining(["/dev/inbox", "/dev/mails"]));
  for (const path of paths) {
    expect(await statusOf(local, path), path).toBe(200);
    expect(await statusOf(gatehouse, path), path).toBe(404);
  }
});

test.each(["/login", "/health"])(
  "a public host with a localhost BASE_URL gets an error at %s",
  async (path) => {
    gatehouse.expectErrors("configuration.incomplete");

    const answer = await getUnderHost(gatehouse, "gatehouse.example", path);

    expect(answer.status).toBe(503);
    expect(answer.body).toContain("BASE_URL");
    expect(answer.body).not.toContain(gatehouse.origin);
  },
);

test("a page opened at another host than BASE_URL names both origins, and so does the log", async () => {
  await using target = await startGatehouse({
    vars: { BASE_URL: "https://app.gatehouse.example", RESEND_API_KEY: "re_unused" },
  });
  target.expectErrors("origin.unexpected");

  const page = await getUnderHost(target, "www.gatehouse.example", "/login", "text/html");
  const call = await getUnderHost(target, "www.gatehouse.example", "/health", "application/json");

  expect(page.status).toBe(421);
  expect(page.body).toContain("https://app.gatehouse.example");
  expect(page.body).toContain("http://www.gatehouse.example");
  expect(await target.logged("origin.unexpected")).toMatchObject({
    baseUrl: "https://app.gatehouse.example",
    openedAt: "http://www.gatehouse.example",
  });
  expect(call.status).toBe(200);
});

/** Sends a request with another Host header, which `fetch` cannot set. */
function getUnderHost(target: Gatehouse, host: string, path: string, accept = "*/*") {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const sent = request(
      { host: "localhost", port: target.url.port, path, headers: { host, accept } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}

test("without a choice the page follows the system theme", async () => {
  expect(readPage(await openLogin(gatehouse)).rootAttribute("data-theme")).toBeUndefined();
});

test("a chosen theme applies from the next page, error pages included, until the system theme is chosen", async () => {
  const browser = newBrowser(gatehouse);
  const themeOf = async (path: string) =>
    readPage(await (await browser.get(path)).text()).rootAttribute("data-theme");

  for (const value of ["dark", "light"]) {
    const response = await browser.submit("/preferences", {
      intent: "theme",
      value,
      back: "/login",
    });
    expect(response.status).toBe(303);
    expect(locationOf(response)).toBe("/login");
    expect(setCookieOf(response, "gatehouse.theme")).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    expect([await themeOf("/login"), await themeOf("/nothing")]).toEqual([value, value]);
  }
  await browser.submit("/preferences", { intent: "theme", value: "system", back: "/login" });
  expect(await themeOf("/login")).toBeUndefined();
});

test.each([
  [{ intent: "theme", value: "pink", back: "/login" }],
  [{ intent: "language", value: "xx", back: "/login" }],
  [{ intent: "nothing", value: "dark", back: "/login" }],
])("the preference %j changes nothing", async (fields) => {
  const response = await newBrowser(gatehouse).submit("/preferences", fields);

  expect(locationOf(response)).toBe("/");
  expect(response.headers.getSetCookie().filter((line) => /i18next|theme/.test(line))).toEqual([]);
});

test("a toast is shown once and as text, and an invalid toast cookie is ignored", async () => {
  const browser = newBrowser(gatehouse);
  const leave = (toast: object) =>
    browser.cookies.set("gatehouse.toast", encodeURIComponent(JSON.stringify(toast)));
  const notices = async () => {
    const page = await (await browser.get("/login")).text();
    return textOf(readPage(page).noscript());
  };

  leave({ id: "1", kind: "success", message: "common:list.rowActions?name=%3Cimg%20src%3Dx%3E" });
  expect(await notices()).toBe("Actions for <img src=x>");
  expect(await notices()).toBe("");
  leave({ id: "1", kind: "nonsense", message: "common:list.rowActions?name=x" });
  expect(await notices()).toBe("");
  expect(browser.cookies.has("gatehouse.toast")).toBe(false);
});

test("a browser without choices uses the account's language and theme", async () => {
  const { browser } = await aSignedInUser(gatehouse, { language: "ar", theme: "dark" });

  const page = await (await browser.get("/app")).text();
  expect(readPage(page).rootAttribute("lang")).toBe("ar");
  expect(readPage(page).rootAttribute("data-theme")).toBe("dark");

  await browser.submit("/preferences", { intent: "language", value: "fr", back: "/app" });
  await browser.submit("/preferences", { intent: "theme", value: "light", back: "/app" });
  const chosen = await (await browser.get("/app")).text();
  expect(readPage(chosen).rootAttribute("lang")).toBe("fr");
  expect(readPage(chosen).rootAttribute("data-theme")).toBe("light");
});
