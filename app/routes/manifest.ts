import { href } from "react-router";
import { shownBrand } from "../features/site-settings/brand/shown-brand.ts";
import { requestContext } from "../http/request-context.ts";
import { languageContext } from "../middleware/locale.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { accentOf } from "../values/accents.ts";
import type { Route } from "./+types/manifest.ts";

/** Answers what a phone shows of the product when it is installed. */
export async function loader({ context }: Route.LoaderArgs) {
  const { publicSettings } = context.get(servicesContext);
  const { brand } = await publicSettings.current(context.get(requestContext).now());
  const { name, logo } = shownBrand(brand, context.get(languageContext));
  const icons = logo
    ? [
        {
          src: logo.light.src,
          sizes: `${logo.light.width}x${logo.light.height}`,
          type: logo.light.type,
        },
      ]
    : [
        { src: href("/icon.svg"), sizes: "any", type: "image/svg+xml" },
        { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
        { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
        {
          src: "/icon-maskable-512.png",
          sizes: "512x512",
          type: "image/png",
          purpose: "maskable",
        },
      ];
  const manifest = {
    name,
    short_name: name,
    start_url: href("/login"),
    display: "standalone",
    background_color: "#fdfcfd",
    theme_color: accentOf(brand.accent).solid,
    icons,
  };
  return new Response(JSON.stringify(manifest), {
    headers: { "Content-Type": "application/manifest+json", "Cache-Control": "no-cache" },
  });
}
