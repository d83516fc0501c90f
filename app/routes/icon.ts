import { requestContext } from "../http/request-context.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { accentOf } from "../values/accents.ts";
import type { Route } from "./+types/icon.ts";

/** Answers the gate in the brand's accent, as the icon of the browser's tab. */
export async function loader({ context }: Route.LoaderArgs) {
  const { publicSettings } = context.get(servicesContext);
  const { brand } = await publicSettings.current(context.get(requestContext).now());
  const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M3 30V15C3 7.800 8.800 2 16 2s13 5.800 13 13v15z" fill="${accentOf(brand.accent).solid}"/><path d="M10 30V16a6 6 0 0 1 12 0v14z" fill="#fff"/></svg>`;
  return new Response(icon, {
    headers: { "Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=3600" },
  });
}
