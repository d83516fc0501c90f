import type { RequestInfo } from "../../http/request-context.ts";
import { describeDevice } from "../../values/user-agent.server.ts";
import type { Occasion } from "../mail/mail-message.ts";

/** Returns the time, device and location of a request, for a mail about it. */
export function describeOccasion({ userAgent, location, now }: RequestInfo): Occasion {
  return {
    device: describeDevice(userAgent ?? null) ?? null,
    place: location ?? null,
    at: now().toISOString(),
  };
}
