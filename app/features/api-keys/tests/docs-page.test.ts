import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../../../../tests/support/client.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { aSignedInUser, aUser } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { SERVER_FEATURES } from "../../../features.server.ts";
import { LANGUAGES } from "../../../i18n/languages.ts";
import { CLOSED_ENDPOINTS } from "../../auth/gateway/closed-endpoints.ts";
import { firstPath, KEY_PLACEHOLDER } from "../snippets.ts";
import { aKey } from "./api-keys.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const run = promisify(execFile);
const OWN = "/app/account/keys";

const description: { servers: { url: string }[]; paths: Record<string, object> } = JSON.parse(
  await (await newBrowser(gatehouse).get("/api/openapi.json")).text(),
);
const baseUrl = description.servers[0]?.url ?? "";
const ofKeys = Object.values(SERVER_FEATURES.api);
const ofClient = Object.keys(description.paths).filter((path) => path.startsWith("/api/auth/"));

async function docsIn(language: (typeof LANGUAGES)[number]) {
  const answer = await newBrowser(gatehouse, { language }).get("/api/docs");
  expect(answer.status).toBe(200);
  return readPage(await answer.text());
}

/** Returns the code blocks of a page. */
function codeOn({ document }: ReturnType<typeof readPage>): string[] {
  return [...document.querySelectorAll("pre")].map(({ textContent }) => textContent);
}

/** Returns a command or program of a page for this product and a key. */
function runnable(code: string | undefined, key: string): string {
  expect(code).toContain(baseUrl);
  return (code ?? "").replaceAll(baseUrl, gatehouse.url.origin).replaceAll(KEY_PLACEHOLDER, key);
}

test.each(LANGUAGES)(
  "the page begins with how to send a key, then has the calls of keys, and folds the others away in %s",
  async (language) => {
    const t = translationsIn(language);
    const page = await docsIn(language);
    const [first] = page.document.querySelectorAll("h2");
    expect(first?.textContent).toBe(t("api:send.title"));
    expect(codeOn(page)[0]).toBe(`Authorization: Bearer ${KEY_PLACEHOLDER}`);
    expect(codeOn(page)[1]).toBe(baseUrl);

    const html = page.document.toString();
    const places = ofKeys.map(({ path }) => html.indexOf(path));
    expect(Math.min(...places)).toBeGreaterThan(html.indexOf(t("api:send.title")));
    for (const path of ofClient) expect(html).toContain(path);
    // What a session opens lies folded in one part, behind everything that a key opens.
    const folded = [...page.document.querySelectorAll("main > details")].find((part) =>
      part.textContent.includes(t("api:client.title")),
    );
    expect(folded?.hasAttribute("open")).toBe(false);
    expect(ofClient.every((path) => folded?.textContent.includes(path))).toBe(true);
    expect(folded?.textContent).not.toContain("/api/v1/");
    for (const path of Object.keys(CLOSED_ENDPOINTS)) {
      // A closed path can be the beginning of an open one.
      expect(page.text().split(/\s/)).not.toContain(path);
    }
    // A refusal's `type` leads to its code.
    for (const { errors } of ofKeys) {
      for (const [, code] of errors) expect(page.document.getElementById(code)).not.toBeNull();
    }
  },
);

test("the command and the programs of the page work as they are, with a key", async () => {
  const { secret } = await aKey(gatehouse, await aUser(gatehouse));
  const code = codeOn(await docsIn("en"));
  const beginning = (text: string) =>
    runnable(
      code.find((one) => one.startsWith(text)),
      secret,
    );
  const expected = await fetch(new URL(firstPath(SERVER_FEATURES.api) ?? "", gatehouse.url), {
    headers: { authorization: `Bearer ${secret}` },
  });
  const answer = await expected.text();
  expect(expected.status).toBe(200);

  const curl = await run("bash", ["-c", `${beginning("curl ")} --silent`]);
  expect(curl.stdout).toBe(answer);
  const javascript = await run(process.execPath, [
    "--input-type=module",
    "--eval",
    beginning("const response"),
  ]);
  expect(javascript.stdout.trim()).toBe(`200 ${answer}`);
  const python = await run("python3", ["-c", beginning("import urllib")]);
  expect(python.stdout.trim()).toBe(`200 ${answer}`);
});

test("without its key the command is told that none was sent", async () => {
  const [command = ""] = codeOn(await docsIn("en")).filter((one) => one.startsWith("curl "));
  const [withoutKey = ""] = runnable(command, "").split(" -H ");

  const { stdout } = await run("bash", ["-c", `${withoutKey} --silent`]);

  expect(JSON.parse(stdout)).toMatchObject({
    status: 401,
    code: "API_KEY_MISSING",
    type: `${baseUrl}/api/docs#API_KEY_MISSING`,
  });
});

test("the answer that shows a new key has a command that works with it, and a replaced one too", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const create = { intent: "create-key", name: "Deploy", scope: "repository.read", days: "90" };
  for (const path of [OWN, `/app/organizations/${organization.slug}/keys`]) {
    const made = readPage(await (await browser.submit(`${path}?state=new`, create)).text());
    const secret = made.field("secret")?.value ?? "";
    const [command] = codeOn(made);
    expect(command).toContain(secret);
    const { stdout } = await run("bash", ["-c", `${runnable(command, secret)} --silent`]);
    expect(JSON.parse(stdout)).toHaveProperty("repositories");
  }
  const { results } = await gatehouse.d1
    .prepare("SELECT id FROM api_key WHERE user_id = ? AND organization_id IS NULL")
    .bind(user.id)
    .all<{ id: string }>();
  const rotate = { intent: "rotate-key", key: results[0]?.id ?? "" };
  const rotated = readPage(await (await browser.submit(OWN, rotate)).text());
  expect(codeOn(rotated)[0]).toContain(rotated.field("secret")?.value);
});

test("a key that reads nothing has no command, because none would be answered", async () => {
  const { browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const create = { intent: "create-key", name: "Deploy", scope: "repository.create", days: "90" };

  const made = readPage(await (await browser.submit(`${OWN}?state=new`, create)).text());

  expect(made.field("secret")?.value).toMatch(/^gh_/);
  expect(codeOn(made)).toEqual([]);
});

test("the screens with keys lead to the page", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const say = translationsIn("en");
  const { row } = await aKey(gatehouse, user);

  for (const path of [
    OWN,
    "/manager/account/keys",
    `/app/organizations/${organization.slug}/keys`,
    `${OWN}/${row.id}`,
  ]) {
    const page = readPage(await (await browser.get(path)).text());
    expect(page.linkTo(say("api-keys:docs"))).toBe("/api/docs");
  }
});

test("the document is the project's own, without links to files that a site does not have", async () => {
  const answer = await newBrowser(gatehouse).get("/api/docs.md");

  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  const text = await answer.text();
  const source = readFileSync("docs/api.md", "utf8");
  expect(text.split("\n")).toHaveLength(source.split("\n").length);
  expect(source).toContain("](decisions/");
  expect(text).not.toMatch(/\]\((?!https?:|\/|#)/);
});
