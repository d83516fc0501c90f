import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../../../../tests/support/client.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { PROVIDER } from "../provider-paths.ts";
import { aParty, ask, discover } from "./relying-party.ts";

// What each call of an app costs at the database, as the document of the feature tells it.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const API = "https://api.example.com/";

type Cost = [call: string, trips: number, rowsWritten: number];

/** Makes the calls of a sign-in one after the other. Returns what each has cost. */
async function measure(): Promise<Cost[]> {
  const { browser: person } = await aSignedInUser(gatehouse);
  const app = await aParty(gatehouse, { apis: [API] });
  const config = await discover(gatehouse, app);
  const costs: Cost[] = [];
  let call = "";
  const counted = newBrowser(gatehouse, {
    headers: { "x-d1-whole": "yes" },
    onAnswer(_path, { headers }) {
      const count = (name: string) => Number(headers.get(name) ?? Number.NaN);
      costs.push([call, count("x-d1-rounds"), count("x-d1-rows-written")]);
    },
  });
  for (const [name, value] of person.cookies) counted.cookies.set(name, value);
  const named = <Answer>(name: string, send: () => Promise<Answer>) => {
    call = name;
    return send();
  };
  const basic = `Basic ${btoa(`${app.clientId}:${app.secret}`)}`;
  const post = async (name: string, path: string, fields: Record<string, string>) => {
    const headers = { authorization: basic };
    const answer = await named(name, () => counted.submit(path, fields, { headers }));
    return (await answer.json()) as Record<string, string>;
  };
  const get = (name: string, url: URL) => named(name, () => counted.get(url.pathname + url.search));

  const asking = await ask(config, app);
  const first = await get("`authorize`, the first time", asking.url);
  const connect = new URL(first.headers.get("location") ?? "", gatehouse.origin);
  await get("the page of the consent", connect);
  const allowed = await named("the consent", () =>
    counted.submit(connect.pathname + connect.search, { intent: "allow" }),
  );
  const away = new URL(allowed.headers.get("location") ?? "");
  const tokens = await post("`token`, for a code", PROVIDER.token, {
    grant_type: "authorization_code",
    code: away.searchParams.get("code") ?? "",
    redirect_uri: app.redirectUri,
    code_verifier: asking.verifier,
  });
  await post("`token`, for a refresh token", PROVIDER.token, {
    grant_type: "refresh_token",
    refresh_token: tokens.refresh_token ?? "",
  });
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  await named("`userinfo`", () => counted.get(PROVIDER.userinfo, { headers }));
  await named("`/api/v1/me`", () => counted.get("/api/v1/me", { headers }));
  await post("`introspect`", PROVIDER.introspect, { token: tokens.access_token ?? "" });
  await post("`revoke`", PROVIDER.revoke, { token: tokens.access_token ?? "" });
  await get("`authorize`, afterwards", (await ask(config, app)).url);
  const device = await aParty(gatehouse, { isPublic: true });
  await named("`device`", () =>
    counted.submit(PROVIDER.device, { client_id: device.clientId, scope: "openid" }),
  );
  await get("`jwks`", new URL(PROVIDER.jwks, gatehouse.origin));
  await get("both metadata", new URL(PROVIDER.openId, gatehouse.origin));
  return costs;
}

test("the document tells what each call costs", async () => {
  // The first sign-in of all makes the keys.
  await measure();
  const costs = await measure();

  const table = costs.map((cost) => `| ${cost.join(" | ")} |`);
  const document = readFileSync(join(import.meta.dirname, "../docs.md"), "utf8");
  const told = document.split("\n").filter((line) => /^\| [^|]+ \| \d+ \| \d+ \|$/.test(line));
  expect(told).toEqual(table);
});
