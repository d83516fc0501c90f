import type { ThemeChoice } from "../../ui/forms/theme-choice.ts";
import type { DocumentSettings, Impersonation, ShownBrand } from "../../ui/layout/document.tsx";
import { barColors } from "./bar-colours.ts";
import type { Config } from "./config.ts";

export function documentSettings(
  config: Config,
  request: {
    theme: ThemeChoice;
    translationFiles: Record<string, string>;
    impersonation: Impersonation | null;
    brand: ShownBrand;
  },
): DocumentSettings {
  const { name, color } = config.environment;
  return {
    ...request,
    titlePrefix: titlePrefix(config.environment),
    bar: name ? { name, ...barColors(color) } : null,
    isDemo: config.isDemo,
    version: __BUILD__.version,
  };
}

/** Returns the prefix of every page title: the emoji, or else the name in brackets, or else nothing. */
export function titlePrefix({ name, emoji }: { name?: string; emoji?: string }): string {
  if (emoji) return `${emoji} `;
  return name ? `[${name}] ` : "";
}
