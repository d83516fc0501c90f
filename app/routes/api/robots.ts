import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/robots.ts";

/** Allows search engines only the login screen, and what programs and their authors may read. */
export function loader({ context }: Route.LoaderArgs) {
  const { openPages } = context.get(servicesContext).features;
  const lines = [
    "User-agent: *",
    "Allow: /login$",
    ...openPages.map(({ path }) => `Allow: ${path}$`),
    "Disallow: /api/",
    "Disallow: /app",
    "Disallow: /manager",
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=86400",
    },
  });
}
