import { passkeyClient } from "@better-auth/passkey/client";
import { createAuthClient } from "better-auth/client";
import { adminClient, emailOTPClient, organizationClient } from "better-auth/client/plugins";
import {
  organizationAccess,
  organizationRoles,
} from "../../app/features/access/organization-permissions.ts";
import type { Browser } from "./client.ts";
import type { Gatehouse } from "./worker.ts";

/** What better-auth's client sent, and what the product answered. */
export type Exchange = {
  method: string;
  /** Path below `/api/auth`. */
  path: string;
  status: number;
  body: string;
  /** The request's id, which its audit events have. */
  requestId: string | null;
};

/**
 * Makes better-auth's own client, with the plugins that the product supports. Its requests have the
 * browser's cookies.
 */
export function stockClientFor(
  gatehouse: Pick<Gatehouse, "url">,
  browser: Browser,
  onExchange: (exchange: Exchange) => void = () => {},
) {
  return createAuthClient({
    baseURL: gatehouse.url.origin,
    plugins: [
      emailOTPClient(),
      adminClient(),
      organizationClient({
        teams: { enabled: true },
        ac: organizationAccess,
        roles: organizationRoles,
      }),
      passkeyClient(),
    ],
    fetchOptions: {
      async customFetchImpl(input, init) {
        const { pathname, search } = new URL(String(input));
        const response = await browser.request(pathname + search, init);
        onExchange({
          method: init?.method ?? "GET",
          path: pathname.replace("/api/auth", ""),
          status: response.status,
          requestId: response.headers.get("x-request-id"),
          body: await response.clone().text(),
        });
        return response;
      },
    },
  });
}

export type StockClient = ReturnType<typeof stockClientFor>;
