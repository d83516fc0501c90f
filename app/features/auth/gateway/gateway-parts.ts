import type { Mailer } from "../../mail/outbox.server.ts";
import type { createDevices } from "../sign-in/new-device.server.ts";
import type { Provider } from "../sign-in/providers.ts";
import type { createSignInMethods } from "../sign-in/sign-in-methods.server.ts";
import type { AuthCallOptions, createAuthCalls } from "./auth-call.server.ts";
import type { ClientCalls } from "./client-endpoint.ts";
import type { OwnOptions } from "./own-endpoints.server.ts";

export type GatewayOptions = AuthCallOptions &
  OwnOptions & {
    mailer: Pick<Mailer, "prepare" | "prepareForUsers" | "queue">;
    providers: Provider[];
    clientCalls: ClientCalls | undefined;
    adminEmails: string[];
  };

/** The options with the parts of the gateway that are built once. */
export type GatewayParts = GatewayOptions & {
  devices: ReturnType<typeof createDevices>;
  methods: ReturnType<typeof createSignInMethods>;
  callAuth: ReturnType<typeof createAuthCalls>["callAuth"];
};
