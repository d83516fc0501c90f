import { passkeyClient } from "@better-auth/passkey/client";
import { createAuthClient } from "better-auth/client";
import { adminClient, emailOTPClient, organizationClient } from "better-auth/client/plugins";
import { keepCookie, nextIpAddress } from "./client.ts";
import type { Gatehouse } from "./worker.ts";

/**
 * Makes better-auth's own client outside the product's pages, as a program or a native app has it:
 * it sends these headers and no others, and keeps the cookies.
 */
export function outsideClientFor(gatehouse: Pick<Gatehouse, "url">, own: Record<string, string>) {
  const cookies = new Map<string, string>();
  const ipAddress = nextIpAddress();
  return createAuthClient({
    baseURL: gatehouse.url.origin,
    plugins: [
      emailOTPClient(),
      adminClient(),
      organizationClient({ teams: { enabled: true } }),
      passkeyClient(),
    ],
    fetchOptions: {
      async customFetchImpl(input, init) {
        const headers = new Headers(init?.headers);
        headers.set("cf-connecting-ip", ipAddress);
        headers.set("connection", "close");
        for (const [name, value] of Object.entries(own)) headers.set(name, value);
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        if (cookie) headers.set("cookie", cookie);
        const response = await fetch(input, { ...init, headers });
        for (const line of response.headers.getSetCookie()) keepCookie(cookies, line);
        return response;
      },
    },
  });
}
