import { href } from "react-router";
import type { BrandIcons } from "../features/site-settings/brand/icons.ts";
import { shownBrand, shownLogo } from "../features/site-settings/brand/shown-brand.ts";
import { requestContext } from "../http/request-context.ts";
import { languageContext } from "../middleware/locale.ts";
import { servicesContext } from "../runtime/services-context.ts";
import type { ShownLogo } from "../ui/layout/document.tsx";
import { accentOf } from "../values/accents.ts";
import type { Route } from "./+types/manifest.ts";

/** Answers what a phone shows of the product when it is installed. */
export async function loader({ context }: Route.LoaderArgs) {
  const { publicSettings } = context.get(servicesContext);
  const { brand } = await publicSettings.current(context.get(requestContext).now());
  const { name, logo } = shownBrand(brand, context.get(languageContext));
  const icons = [
    ...(logo ? [] : [{ src: href("/icon.svg"), sizes: "any", type: "image/svg+xml" }]),
    ...(brand.icons ? iconsOf(brand.icons) : logo ? [iconOf(logo.light)] : GATE_ICONS),
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

const GATE_ICONS = [
  { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
  { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
  { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
];

function iconsOf({ icon192, icon512, maskable512 }: BrandIcons) {
  const [small, large, maskable] = [icon192, icon512, maskable512].map((file) =>
    iconOf(shownLogo(file)),
  );
  return [small, large, { ...maskable, purpose: "maskable" }];
}

/** A picture with its true type and size, which need not be square. */
function iconOf({ src, type, width, height }: ShownLogo) {
  return { src, sizes: `${width}x${height}`, type };
}
