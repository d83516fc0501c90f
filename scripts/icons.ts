// npm run icons: writes the icons in use, from Lucide, and the providers' logos into the one SVG file that the product
// serves.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BRAND_NAMES, ICON_NAMES } from "../app/ui/text/icon-names.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** How Lucide's icons are drawn. It stands here and not in the pages, which draw a hundred icons. */
const STROKES =
  ' fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';

const symbols = [
  ...ICON_NAMES.map((name) => readSymbol(name, "node_modules/lucide-static/icons", STROKES)),
  ...BRAND_NAMES.map((name) => readSymbol(name, "scripts/brand-marks")),
];

function readSymbol(name: string, folder: string, style = ""): string {
  const svg = readFileSync(join(ROOT, folder, `${name}.svg`), "utf8");
  const viewBox = /viewBox="([^"]+)"/.exec(svg)?.[1];
  const shapes = svg.slice(svg.indexOf(">", svg.indexOf("<svg")) + 1, svg.lastIndexOf("</svg>"));
  return `<symbol id="${name}" viewBox="${viewBox}"${style}>${shapes.replace(/\s*\n\s*/g, "")}</symbol>`;
}

const sprite = `<svg xmlns="http://www.w3.org/2000/svg">
<!-- Lucide (ISC licence), made by scripts/icons.ts -->
${symbols.join("\n")}
</svg>
`;

writeFileSync(join(ROOT, "app/ui/text/icons.svg"), sprite);
