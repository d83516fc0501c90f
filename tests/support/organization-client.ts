import { createAuthClient } from "better-auth/client";
import { organizationClient } from "better-auth/client/plugins";
import {
  organizationAccess,
  organizationRoles,
} from "../../app/features/access/organization-permissions.ts";
import type { Browser } from "./client.ts";
import { aSignedInUser, type Person } from "./people.ts";
import type { Gatehouse } from "./worker.ts";

/** Makes better-auth's own client for organizations. Its requests have the browser's cookies and headers. */
export function organizationClientFor(
  gatehouse: Pick<Gatehouse, "url">,
  browser: Browser,
  headers: Record<string, string> = {},
) {
  const { organization } = createAuthClient({
    baseURL: gatehouse.url.origin,
    plugins: [
      organizationClient({
        teams: { enabled: true },
        ac: organizationAccess,
        roles: organizationRoles,
      }),
    ],
    fetchOptions: {
      headers,
      customFetchImpl(input, init) {
        const { pathname, search } = new URL(String(input));
        return browser.request(pathname + search, init);
      },
    },
  });
  return organization;
}

/** Makes a signed-in user with a client. */
export async function aClient(
  gatehouse: Pick<Gatehouse, "d1" | "origin" | "secret" | "url">,
  overrides: Partial<Person> = {},
) {
  const { user, browser } = await aSignedInUser(gatehouse, overrides);
  return { user, browser, client: organizationClientFor(gatehouse, browser) };
}

type Answer<Data> = {
  data: Data;
  error: { status: number; code?: string } | null;
};

/** Returns the data of an answer. Throws when the product refused. */
export async function dataOf<Data>(call: Promise<Answer<Data>>): Promise<NonNullable<Data>> {
  const { data, error } = await call;
  if (error || data === null || data === undefined) {
    throw new Error(`The call was refused: ${error?.status} ${error?.code}`);
  }
  return data;
}

/** Returns status and code of a refusal as "403 FORBIDDEN", or "ok". */
export async function refusalOf(call: Promise<Answer<unknown>>): Promise<string> {
  const { error } = await call;
  return error ? `${error.status} ${error.code}` : "ok";
}
