import { afterAll, expect, test } from "vitest";
import { directionOf, fontScaleOf, LANGUAGES } from "../../app/i18n/languages.ts";
import { joinTexts } from "../../scripts/join-texts.ts";
import { locationOf, newBrowser, setCookieOf } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { aSignedInUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

async function languageOf(response: Response): Promise<string | undefined> {
  return readPage(await response.text()).rootAttribute("lang");
}

test("the query's language wins and is remembered", async () => {
  const browser = newBrowser(gatehouse, { language: "ar" });

  const first = await browser.get("/login?lng=fr");
  expect(setCookieOf(first, "i18next")?.split("; ").sort()).toEqual([
    "Max-Age=2592000",
    "Path=/",
    "SameSite=Lax",
    "i18next=fr",
  ]);
  expect(await languageOf(first)).toBe("fr");
  expect(await languageOf(await browser.get("/login"))).toBe("fr");
  expect(await languageOf(await browser.get("/login?lng=sw"))).toBe("sw");
  expect(await languageOf(await browser.get("/login"))).toBe("sw");
});

test.each([
  ["fr-CA", "fr"],
  ["AR-eg", "ar"],
])("a query language %s is shown and remembered as %s", async (tag, language) => {
  const browser = newBrowser(gatehouse, { language: "sw" });

  expect(await languageOf(await browser.get(`/login?lng=${tag}`))).toBe(language);
  expect(browser.cookies.get("i18next")).toBe(language);
  expect(await languageOf(await browser.get("/login"))).toBe(language);
});

test("a query language with a region wins over the saved language on a device without a choice", async () => {
  const { browser } = await aSignedInUser(gatehouse, { language: "en" });

  const first = await browser.get("/app?lng=fr-CA");

  expect(first.headers.getSetCookie().filter((line) => line.startsWith("i18next="))).toEqual([
    expect.stringMatching(/^i18next=fr;/),
  ]);
  expect(await languageOf(first)).toBe("fr");
  expect(await languageOf(await browser.get("/app"))).toBe("fr");
});

test.each(["xx", "", "english", "__proto__"])(
  "a query language %j is ignored and not remembered",
  async (language) => {
    const response = await newBrowser(gatehouse, { language: "sw" }).get(
      `/login?lng=${encodeURIComponent(language)}`,
    );

    expect(setCookieOf(response, "i18next")).toBeUndefined();
    expect(await languageOf(response)).toBe("sw");
  },
);

test.each([
  ["ar", "ar"],
  ["ar-EG,en;q=0.5", "ar"],
  ["de, sw;q=0.8, fr;q=0.5", "sw"],
  ["fr-CA, fr;q=0.9, en;q=0.8", "fr"],
  ["de-DE, de", "en"],
  ["*", "en"],
  ["", "en"],
  ["de-DE, de;q=0.9, ar-EG;q=0.8, en;q=0.1", "ar"],
  ["fr;q=0, sw;q=0.1", "sw"],
  ["not a language, at all;q=x", "en"],
])("Accept-Language %j gives %s", async (header, language) => {
  expect(await languageOf(await newBrowser(gatehouse, { language: header }).get("/login"))).toBe(
    language,
  );
});

test("the cookie's language comes before the browser's", async () => {
  const browser = newBrowser(gatehouse, { language: "ar" });
  browser.cookies.set("i18next", "sw");

  expect(await languageOf(await browser.get("/login"))).toBe("sw");
});

test("a redirect remembers the query's language too", async () => {
  const browser = newBrowser(gatehouse);

  await browser.get("/?lng=ar");

  expect(browser.cookies.get("i18next")).toBe("ar");
});

test.each(LANGUAGES)(
  "a page in %s has its direction and font size, error pages included",
  async (language) => {
    const { browser } = await aSignedInUser(gatehouse);
    browser.cookies.set("i18next", language);

    for (const [path, status] of [
      ["/app", 200],
      ["/manager", 403],
      ["/nothing", 404],
      ["/health", 405],
    ] as const) {
      const response = status === 405 ? await browser.submit("/app", {}) : await browser.get(path);
      expect(response.status).toBe(status);
      const page = await response.text();
      expect(readPage(page).rootAttribute("lang")).toBe(language);
      expect(readPage(page).rootAttribute("dir")).toBe(directionOf(language));
      expect(readPage(page).rootAttribute("style")).toBe(`--font-scale:${fontScaleOf(language)}`);
    }
  },
);

test("a form saves a language and redirects back to the page", async () => {
  const browser = newBrowser(gatehouse);

  const response = await browser.submit("/preferences", {
    intent: "language",
    value: "ar",
    back: "/login?redirect=%2Fapp",
  });

  expect(response.status).toBe(303);
  expect(locationOf(response)).toBe("/login?redirect=%2Fapp");
  expect(browser.cookies.get("i18next")).toBe("ar");
});

test.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/%09/evil.example",
  "javascript:alert(1)",
])("the return URL %j of a preference is replaced by the start page", async (back) => {
  const response = await newBrowser(gatehouse).submit("/preferences", {
    intent: "theme",
    value: "dark",
    back,
  });

  expect(response.headers.get("location")).toBe("/");
});

test("a page names only the translation files of its own language, and each is served", async () => {
  const browser = newBrowser(gatehouse, { language: "sw" });
  const page = await (await browser.get("/login")).text();
  const settings = JSON.parse(readPage(page).rootAttribute("data-settings") ?? "");

  for (const [namespace, url] of Object.entries<string>(settings.translationFiles)) {
    const response = await browser.get(url);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(joinTexts("sw")[namespace]);
  }
  expect(Object.keys(settings.translationFiles)).not.toContain("mail");
});
