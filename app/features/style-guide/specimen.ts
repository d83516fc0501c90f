import type { ReactNode } from "react";

/** Draws the states of a primitive. */
export type Specimen = () => ReactNode;

export type GroupName =
  | "foundations"
  | "elements"
  | "forms"
  | "screens"
  | "frames"
  | "lists"
  | "live";

export type SpecimenGroup = { name: GroupName; specimens: Record<string, Specimen> };

/** Windows that are too narrow or too wide for a primitive do not show it. */
const SHOWN_IN: Record<string, string> = {
  sidebar: "max-md:hidden",
  "sidebar, on a phone": "md:hidden",
};

/** Returns the class that hides a primitive, and the link to it, in windows that do not show it. */
export function windowsOf(name: string): string {
  return SHOWN_IN[name] ?? "";
}

/** Returns the id of a primitive's part of the page: "part-drawer-open" for "drawer, open". */
export function idOf(name: string): string {
  return `part-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
}
