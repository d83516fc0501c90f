import { afterAll, expect, test } from "vitest";
import { LANGUAGES } from "../../app/i18n/languages.ts";
import { newBrowser, readText } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const PAGE = { accept: "text/html" };
/** A fault before routing, so that the product cannot render its own error page. */
const BROKEN = { ...PAGE, "x-d1-fault": "0 never" };

const gatehouse = await startGatehouse();
gatehouse.expectErrors("request.failed");
afterAll(() => gatehouse[Symbol.asyncDispose]());

test.each(LANGUAGES)(
  "when the error page fails too, a page in %s names the request",
  async (language) => {
    const say = translationsIn(language);

    const response = await newBrowser(gatehouse, { language }).get("/app", { headers: BROKEN });
    const html = await response.text();

    expect(response.status).toBe(500);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(readPage(html).rootAttribute("lang")).toBe(language);
    const text = readText(html);
    for (const key of [
      "errors.lastResort",
      "errors.show",
      "errors.hide",
      "errors.lastResortDetail",
    ]) {
      // The text of a page has plain spaces.
      expect(text).toContain(say(`common:${key}`).replace(/\s/g, " "));
    }
    expect(text).toContain(response.headers.get("x-request-id"));
    expect(html).not.toMatch(/D1_ERROR|connection lost|<script/);
  },
);

test("a client that accepts no HTML gets one line of text", async () => {
  const response = await newBrowser(gatehouse).get("/app", {
    headers: { "x-d1-fault": "0 never", accept: "application/json" },
  });

  expect(response.status).toBe(500);
  expect(await response.text()).toBe("Something went wrong\n");
});

test("a missing picture answers HTML to a page request, and plain text to an image request", async () => {
  const path = `/avatars/${crypto.randomUUID()}`;

  const page = await newBrowser(gatehouse).get(path, { headers: PAGE });
  const picture = await newBrowser(gatehouse).get(path, { headers: { accept: "image/*" } });

  expect(page.status).toBe(404);
  expect(readText(await page.text())).toContain("Not Found");
  expect(picture.status).toBe(404);
  expect(picture.headers.get("content-type")).toMatch(/^text\/plain/);
});
