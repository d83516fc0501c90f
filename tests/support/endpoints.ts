import { passkey } from "@better-auth/passkey";
import { betterAuth } from "better-auth/minimal";
import { admin } from "better-auth/plugins/admin";
import { emailOTP } from "better-auth/plugins/email-otp";
import { organization } from "better-auth/plugins/organization";
import { test } from "vitest";
import type { ClientServices } from "../../app/feature.server.ts";
import type { ClientEndpoint } from "../../app/features/auth/gateway/client-endpoint.ts";
import { ENDPOINTS } from "../../app/features/auth/gateway/endpoints.server.ts";
import { SERVER_FEATURES } from "../../app/features.server.ts";

/** Stands for services that no test calls. */
const services: ClientServices = Object.assign(Object.create(null), {
  config: { social: {} },
  organizationEndpoints: SERVER_FEATURES.organizationEndpoints,
});

/** The endpoints of the client that commands of the product answer, by path, for tests that read the table. */
export const clientEndpoints: Record<string, ClientEndpoint> = Object.fromEntries(
  Object.entries(SERVER_FEATURES.clientCalls?.(services).endpoints ?? {}).flatMap(
    ([path, endpoint]) => (endpoint ? [[path, endpoint]] : []),
  ),
);

/** A test of such calls. It runs only where a feature answers them: without one, they answer 404. */
export const clientTest = test.runIf(Object.keys(clientEndpoints).length > 0);

/** Methods of all endpoints that answer, by path. */
export const openEndpoints: Record<string, "GET" | "POST"> = Object.fromEntries(
  Object.entries({ ...ENDPOINTS, ...clientEndpoints }).flatMap(([path, endpoint]) =>
    endpoint ? [[path, endpoint.method]] : [],
  ),
);

/**
 * Returns the paths of the installed better-auth that its client calls, with the plugins whose clients the product
 * supports: every documented method of the client is one of them.
 */
export function listClientPaths(): string[] {
  const hasTeams = "/organization/list-teams" in openEndpoints;
  const { api } = betterAuth({
    secret: "a secret that is only here to build the list",
    baseURL: "http://localhost",
    emailAndPassword: { enabled: true },
    plugins: [
      emailOTP({ sendVerificationOTP: async () => {} }),
      admin(),
      organization({ teams: { enabled: hasTeams }, dynamicAccessControl: { enabled: true } }),
      passkey(),
    ],
  });
  const endpoints: { path?: string; options?: object }[] = Object.values(api);
  const paths = endpoints.flatMap(({ path, options }) => {
    const { metadata }: { metadata?: { scope?: unknown } } = Object(options);
    return path && metadata?.scope !== "server" ? [path] : [];
  });
  return [...new Set(paths)].sort();
}
