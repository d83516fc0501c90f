import type { Page } from "@playwright/test";
import type { translationsIn } from "./translations.ts";

export type Translate = ReturnType<typeof translationsIn>;

/** Who opens a screen: a person of `fillForScreens`, or an anonymous visitor. */
export type Opener = "anyone" | "owner" | "guest" | "admin" | "newcomer" | "unasked" | "leaving";

/** Settings under which a screen is seen; "usual" when it does not matter. */
export type Setting = "usual" | "gated" | "demo";

export type Screen<Ids> = {
  name: string;
  as: Opener;
  setting: Setting;
  // A method, so that a feature may ask for its own ids.
  path(ids: Ids): string;
  /** Brings the screen into a state that has no URL. */
  act?: (page: Page, t: Translate) => Promise<void>;
};

type Path<Ids> = string | ((ids: Ids) => string);

export function screensOf<Ids>(
  as: Opener,
  paths: Record<string, Path<Ids>>,
  setting: Setting = "usual",
): Screen<Ids>[] {
  return Object.entries(paths).map(([name, path]) => ({ name, as, setting, path: pathOf(path) }));
}

export function state<Ids>(
  name: string,
  as: Opener,
  path: Path<Ids>,
  act: Screen<Ids>["act"],
): Screen<Ids> {
  return { name, as, setting: "usual", path: pathOf(path), ...(act ? { act } : {}) };
}

function pathOf<Ids>(path: Path<Ids>): (ids: Ids) => string {
  return typeof path === "string" ? () => path : path;
}
