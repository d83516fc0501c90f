import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as client from "openid-client";
import { expect, hydrated, test } from "../../../../tests/support/e2e.ts";
import { ANY_LANGUAGE } from "../../../../tests/support/matrix.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { allowOwnedApps } from "./apps.ts";
import { ask } from "./relying-party.ts";

const arrivals: URL[] = [];
/** The server of an organization's app, on another host than the product. */
const server = createServer((request, response) => {
  arrivals.push(new URL(request.url ?? "/", redirectUri));
  response.setHeader("Content-Type", "text/html");
  response.end('<link rel="icon" href="data:,"><title>Notes</title>Welcome back');
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
// It lives as long as the process, whose tests are not one group.
server.unref();

const ORGANIZATION = "Nyumbani Cooperative";

for (const language of ANY_LANGUAGE) {
  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? "with" : "without";
    test(`an owner adds an app, a member signs in to it, and others do not, ${how} JavaScript (${language})`, async ({
      signedIn,
      gatehouse,
    }) => {
      const t = translationsIn(language);
      const options = { locale: language, javaScriptEnabled };
      await allowOwnedApps(gatehouse);
      const { page, user: owner } = await signedIn({}, options);
      const { page: ofMember, user: member } = await signedIn({}, options);
      const { page: ofOther } = await signedIn({}, options);
      const { organization } = await anOrganization(
        gatehouse,
        { name: ORGANIZATION },
        { owner, members: [member] },
      );
      const open = async (one: typeof page, url: string) => {
        await one.goto(url);
        if (javaScriptEnabled) await hydrated(one);
      };

      await open(page, `/app/organizations/${organization.slug}/settings`);
      await page.getByRole("link", { name: t("organizations:settings.manageApps") }).click();
      await page.getByRole("link", { name: t("connected-apps:office.add") }).click();
      await page
        .getByRole("textbox", { name: t("connected-apps:office.name"), exact: true })
        .fill("Field notes");
      await page.locator("#field-redirectUris").fill(redirectUri);
      await page.getByRole("button", { name: t("connected-apps:office.add") }).click();
      const secret = await page.getByLabel(t("connected-apps:office.secret")).inputValue();
      await page.getByRole("link", { name: t("connected-apps:office.done") }).click();
      await expect(page.getByRole("heading", { name: "Field notes", level: 1 })).toBeVisible();

      const clientId = await gatehouse.d1
        .prepare("SELECT client_id FROM oauth_client WHERE organization_id = ?")
        .bind(organization.id)
        .first<string>("client_id");
      const config = await client.discovery(
        new URL(gatehouse.origin),
        clientId ?? "",
        {},
        client.ClientSecretBasic(secret),
        { execute: [client.allowInsecureRequests] },
      );
      const asking = await ask(config, { redirectUri }, { scope: "openid profile" });

      await open(ofMember, asking.url.href);
      const whose = t("connected-apps:owned.of", { organization: ORGANIZATION });
      await expect(ofMember.getByText(whose)).toBeVisible();
      await ofMember.getByRole("button", { name: t("connected-apps:connect.allow") }).click();
      await expect(ofMember.getByText("Welcome back")).toBeVisible();
      const came = arrivals.find(({ searchParams }) => searchParams.get("state") === asking.state);
      const tokens = await client.authorizationCodeGrant(config, came ?? new URL(redirectUri), {
        pkceCodeVerifier: asking.verifier,
        expectedState: asking.state,
        expectedNonce: asking.nonce,
      });
      expect(tokens.claims()?.sub).toBe(member.id);

      const refused = await ask(config, { redirectUri }, { scope: "openid profile" });
      await open(ofOther, refused.url.href);
      await expect(
        ofOther.getByRole("heading", { name: t("connected-apps:outsider.title") }),
      ).toBeVisible();
      const back = t("connected-apps:outsider.back", { app: "Field notes" });
      await ofOther.getByRole("link", { name: back }).click();
      await expect(ofOther.getByText("Welcome back")).toBeVisible();
      const told = arrivals.find(({ searchParams }) => searchParams.get("state") === refused.state);
      expect(told?.searchParams.get("error")).toBe("access_denied");
    });
  }
}
