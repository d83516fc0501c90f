import { href } from "react-router";
import type { RequestInfo } from "../../http/request-context.ts";
import { DAY_MS } from "../../values/time.ts";
import { describeDevice } from "../../values/user-agent.server.ts";
import { can } from "../access/permissions.ts";
import type { Occasion } from "../mail/occasion.ts";

/** Days after which the mail about a sign-in or a new sign-in method is no longer sent. */
const NEWS_DAYS = 7;

/** Returns the time, device and location of a request, for a mail about it. */
export function describeOccasion({ userAgent, location, now }: RequestInfo): Occasion {
  return {
    device: describeDevice(userAgent ?? null) ?? null,
    place: location ?? null,
    at: now().toISOString(),
  };
}

/** Returns the data for a mail about an event: time, location, device, and the URL of the owner's account screen. */
export function describeNews(info: RequestInfo, role: string, baseUrl: string) {
  const account = can({ role }, "apps", "manager")
    ? href("/manager/account")
    : href("/app/account");
  return { ...describeOccasion(info), link: baseUrl + account };
}

/** Returns when the mail about an event expires. */
export function newsExpiry(now: Date): Date {
  return new Date(now.getTime() + NEWS_DAYS * DAY_MS);
}
