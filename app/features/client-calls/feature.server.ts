import type { ServerFacts } from "../../feature.server.ts";
import { passClientCall } from "./client-call.server.ts";
import { createClientEndpoints } from "./client-endpoints.server.ts";
import type { clientCalls } from "./feature.ts";

export const clientCallsServer = {
  clientCalls: (services) => ({
    endpoints: createClientEndpoints(services),
    answer: (endpoint, call, path) => passClientCall(services, endpoint, call, path),
  }),
} satisfies ServerFacts<typeof clientCalls>;
