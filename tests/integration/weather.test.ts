import { expect, test } from "vitest";
import { WEATHER_FRONT } from "../../scripts/weather/weathers.ts";
import { startWorker } from "../../scripts/worker.ts";
import { newBrowser, readText } from "../support/client.ts";
import { aSignedInUser, askForCode, enterCode, newEmail } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

// The switch of `npm start -- --weather NAME`, with the deadlines as they are.

const say = translationsIn("en");

/** Signs in by a code as a person would who tries again. Returns the statuses on the way. */
async function signInPatiently(gatehouse: Gatehouse): Promise<number[]> {
  const email = newEmail("patient");
  const browser = newBrowser(gatehouse);
  const statuses: number[] = [];
  const note = (response: Response) => {
    statuses.push(response.status);
    return response.status === 302;
  };
  for (let isIn = false; !isIn; ) {
    if (!note(await browser.submit("/login", { intent: "email", email }))) continue;
    isIn = note(await enterCode(browser, email, await gatehouse.mailbox.codeFor(email)));
  }
  return statuses;
}

test("in the weather `down` the product answers by itself, and is back when the database is", async () => {
  await using gatehouse = await startGatehouse();
  gatehouse.tolerateErrors();
  const { browser } = await aSignedInUser(gatehouse);
  await gatehouse.setWeather("down");

  const paths = ["/login", "/health", "/ready", "/app", "/app.data", "/api/auth/get-session"];
  const answers = await Promise.all(paths.map((path) => browser.get(path)));

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 503, 503, 503, 503]);
  expect(readText(await (answers[3]?.text() ?? ""))).toContain(say("common:errors.silent"));
  await gatehouse.setWeather(undefined);
  expect((await browser.get("/ready")).status).toBe(200);
  expect((await browser.get("/app")).status).toBe(200);
});

test("in the weather `lost` people sign in, and see pages or the words for a lost connection", async () => {
  await using gatehouse = await startGatehouse();
  gatehouse.tolerateErrors();
  const { browser } = await aSignedInUser(gatehouse, { role: "admin" });
  await gatehouse.setWeather("lost");

  for (let count = 0; count < 20; count += 1) {
    for (const path of ["/app", "/manager/users", "/manager/dashboard"]) {
      const response = await browser.get(path);
      if (response.status === 503) {
        expect(readText(await response.text())).toContain(say("common:errors.silent"));
      } else expect([path, response.status]).toEqual([path, 200]);
    }
  }
  await gatehouse.setWeather(undefined);
  expect((await browser.get("/manager/users")).status).toBe(200);
});

test("in the weather `stalls` each answer is a page, or says that the database does not answer", async () => {
  await using gatehouse = await startGatehouse();
  gatehouse.tolerateErrors();
  const { browser } = await aSignedInUser(gatehouse);
  await gatehouse.setWeather("stalls");

  const answers = await Promise.all(Array.from({ length: 60 }, () => browser.get("/app")));

  for (const response of answers) {
    if (response.status === 503) {
      expect(readText(await response.text())).toContain(say("common:errors.silent"));
    } else expect(response.status).toBe(200);
  }
  await gatehouse.setWeather(undefined);
  expect((await browser.get("/app")).status).toBe(200);
});

test.each(["far", "free"] as const)(
  "in the weather `%s` a person signs in without a failure",
  async (weather) => {
    await using gatehouse = await startGatehouse();
    await gatehouse.setWeather(weather);

    expect(await signInPatiently(gatehouse)).toEqual([302, 302]);
    await gatehouse.setWeather(undefined);
  },
);

test("a provider with a quota of a day refuses what is above it, as in the weather `mail`", async () => {
  await using gatehouse = await startGatehouse();
  gatehouse.expectErrors("mail.quota_used_up");
  gatehouse.mailbox.limitMailsTo(1);
  const browser = newBrowser(gatehouse);
  const [first, second] = [newEmail(), newEmail()];

  await askForCode(browser, first);
  await gatehouse.mailbox.codeFor(first);
  await askForCode(browser, second);

  await gatehouse.logged("mail.quota_used_up");
});

test("what `npm start` puts in front of the worker makes its weather", async () => {
  const quiet = { network: "loopback", onLog: () => {}, front: WEATHER_FRONT } as const;
  const vars = { BETTER_AUTH_SECRET: crypto.randomUUID().repeat(2) };
  await using worker = await startWorker({ ...quiet, vars: { ...vars, WEATHER: "down" } });
  const headers = { host: "localhost:8787" };

  const [ready, health] = await Promise.all(
    ["/ready", "/health"].map((path) => fetch(new URL(path, worker.url), { headers })),
  );

  expect(ready?.status).toBe(503);
  expect(health?.status).toBe(200);
});
