import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, hydrated, test } from "../../../../tests/support/e2e.ts";
import { ANY_LANGUAGE } from "../../../../tests/support/matrix.ts";
import { aUser } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { type Asking, aParty, ask, discover, exchange } from "./relying-party.ts";

const arrivals: URL[] = [];
/** The server of an app, on another host than the product. */
const server = createServer((request, response) => {
  arrivals.push(new URL(request.url ?? "/", redirectUri));
  response.setHeader("Content-Type", "text/html");
  response.end('<link rel="icon" href="data:,"><title>Shop</title>Welcome back');
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
// It lives as long as the process, whose tests are not one group.
server.unref();

/** The URL with which a person came back who began with this request. */
function arrived({ state }: Asking): URL {
  const found = arrivals.find(({ searchParams }) => searchParams.get("state") === state);
  if (!found) throw new Error("The person did not come back to the app");
  return found;
}

for (const language of ANY_LANGUAGE) {
  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? "with" : "without";
    test(`a person allows an app, and comes back to it, ${how} JavaScript (${language})`, async ({
      signedIn,
      gatehouse,
    }) => {
      const t = translationsIn(language);
      const app = await aParty(gatehouse, { redirectUris: [redirectUri] });
      const config = await discover(gatehouse, app);
      const asking = await ask(config, app);
      const { page } = await signedIn({}, { locale: language, javaScriptEnabled });

      await page.goto(asking.url.href);
      if (javaScriptEnabled) await hydrated(page);
      await expect(
        page.getByRole("heading", {
          name: t("connected-apps:connect.title", { app: "Corner Shop" }),
        }),
      ).toBeVisible();
      await page.getByRole("button", { name: t("connected-apps:connect.allow") }).click();

      await expect(page.getByText("Welcome back")).toBeVisible();
      expect((await exchange(config, arrived(asking), asking)).claims()?.aud).toBe(app.clientId);
    });

    test(`a person refuses, and the app is told, ${how} JavaScript (${language})`, async ({
      signedIn,
      gatehouse,
    }) => {
      const t = translationsIn(language);
      const app = await aParty(gatehouse, { redirectUris: [redirectUri] });
      const asking = await ask(await discover(gatehouse, app), app);
      const { page } = await signedIn({}, { locale: language, javaScriptEnabled });

      await page.goto(asking.url.href);
      if (javaScriptEnabled) await hydrated(page);
      await page.getByRole("button", { name: t("connected-apps:connect.cancel") }).click();

      await expect(page.getByText("Welcome back")).toBeVisible();
      expect(arrived(asking).searchParams.get("error")).toBe("access_denied");
    });
  }
}

test("the sign-in names the app, and its cancel leads back to it", async ({ page, gatehouse }) => {
  const app = await aParty(gatehouse, { redirectUris: [redirectUri] });
  const asking = await ask(await discover(gatehouse, app), app);

  await page.goto(asking.url.href);
  await expect(page.getByText("Sign in to continue to Corner Shop")).toBeVisible();
  await page.getByRole("link", { name: "Cancel" }).click();

  await expect(page.getByText("Welcome back")).toBeVisible();
  expect(arrived(asking).searchParams.get("error")).toBe("access_denied");
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without";
  test(`a person signs in by code to an app that asks nothing, ${how} JavaScript`, async ({
    newContext,
    gatehouse,
  }) => {
    const app = await aParty(gatehouse, { redirectUris: [redirectUri], isFirstParty: true });
    const config = await discover(gatehouse, app);
    const asking = await ask(config, app);
    const { email, id } = await aUser(gatehouse);
    const page = await (await newContext({ javaScriptEnabled })).newPage();

    await page.goto(asking.url.href);
    if (javaScriptEnabled) await hydrated(page);
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Continue with email" }).click();
    const field = page.getByLabel("6-digit code");
    await field.fill(await gatehouse.mailbox.codeFor(email));
    // With JavaScript the sixth digit sends the form.
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Confirm" }).click();

    await expect(page.getByText("Welcome back")).toBeVisible();
    expect((await exchange(config, arrived(asking), asking)).claims()?.sub).toBe(id);
  });
}
