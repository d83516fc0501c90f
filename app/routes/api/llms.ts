import { href } from "react-router";
import { listProviders } from "../../features/auth/sign-in/providers.ts";
import { requestContext } from "../../http/request-context.ts";
import { DEFAULT_LANGUAGE } from "../../i18n/languages.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/llms.ts";

/**
 * Tells language models what the site is, and links the pages that they may read. Source:
 * llmstxt.org.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const { config, publicSettings, features } = context.get(servicesContext);
  const { now } = context.get(requestContext);
  const { brand, termsUrl, privacyUrl } = await publicSettings.current(now());
  const name = brand.names[DEFAULT_LANGUAGE];
  const ways = [
    "a one-time code sent by mail",
    "a passkey",
    ...listProviders(config.social).map((provider) => provider.name),
  ];
  const isReportable = config.securityContact !== undefined;
  const parts = [
    `# ${name}`,
    `> Accounts of ${name}. People sign in with ${ways.slice(0, -1).join(", ")} or ${ways.at(-1)}; there are no passwords. ` +
      "A user has an account and may be a member of organizations. Managers have a back-office.",
    "Everything behind the sign-in is for the people whose account it is. A program acts for a user only with what that user gave it.",
    linkList(
      "For programs",
      features.openPages.map(({ title, path, about }) => [title, config.baseUrl + path, about]),
    ),
    linkList("Pages", [
      ["Sign in", config.baseUrl + href("/login"), "the sign-in page"],
      ["Terms", termsUrl, "the terms of the site"],
      ["Privacy", privacyUrl, "what the site does with personal data"],
      ["Help", brand.helpUrl, "for users"],
      ["Support", brand.supportUrl, "who answers questions"],
      [
        "security.txt",
        isReportable ? config.baseUrl + href("/.well-known/security.txt") : undefined,
        "how to report a vulnerability",
      ],
    ]),
  ];
  return new Response(`${parts.filter(Boolean).join("\n\n")}\n`, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=3600",
    },
  });
}

type Line = readonly [title: string, url: string | undefined, about: string];

/** Returns a heading with its links; nothing without one. */
function linkList(heading: string, lines: readonly Line[]): string {
  const known = lines.flatMap(([title, url, about]) =>
    url ? [`- [${title}](${url}): ${about}`] : [],
  );
  return known.length > 0 ? [`## ${heading}`, "", ...known].join("\n") : "";
}
