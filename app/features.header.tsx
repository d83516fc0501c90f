import type { ComponentType } from "react";
import type { HeaderProps } from "./feature.ui.ts";
import { SearchLauncher } from "./features/search/search-launcher.tsx";

/** What features draw in the header of both areas. Every page there loads it, so it stands apart from the panels. */
const HEADERS: Readonly<Record<string, ComponentType<HeaderProps>>> = {
  search: SearchLauncher,
};

export function FeatureHeaders(props: HeaderProps) {
  return Object.entries(HEADERS).map(([name, Header]) => <Header key={name} {...props} />);
}
