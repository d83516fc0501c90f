import { requestContext } from "../../http/request-context.ts";
import { DEFAULT_LANGUAGE, LANGUAGES } from "../../i18n/languages.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { DAY_MS } from "../../values/time.ts";
import type { Route } from "./+types/security-txt.ts";

const VALID_DAYS = 180;

/** Answers how to report a vulnerability. 404 without a contact, because RFC 9116 requires one (section 2.5.3). */
export async function loader({ context }: Route.LoaderArgs) {
  const { config, publicSettings } = context.get(servicesContext);
  const { now } = context.get(requestContext);
  if (!config.securityContact) return new Response(null, { status: 404 });
  const expires = new Date(now().getTime() + VALID_DAYS * DAY_MS);
  expires.setUTCHours(0, 0, 0, 0);
  const { brand } = await publicSettings.current(now());
  const lines = [
    `# ${brand.names[DEFAULT_LANGUAGE]}`,
    `Contact: ${config.securityContact}`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${LANGUAGES.join(", ")}`,
    `Canonical: ${config.baseUrl}/.well-known/security.txt`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
