import type { FeatureFacts, NavigationEntry } from "../../feature.ts";
import { FEATURES } from "../../features.ts";
import type { MessageKey } from "../../i18n/message-key.ts";
import type { Permission } from "./permissions.ts";

/** A feature's link. `features.check.ts` compares its texts, path and permission with the tables. */
type FeatureLink = NavigationEntry & { label: MessageKey; short?: MessageKey; needs: Permission };

/** Returns the features' links in one of the core's screens. */
export function navigationIn(place: NavigationEntry["in"]): FeatureLink[] {
  const features: readonly FeatureFacts[] = FEATURES;
  const links = features.flatMap(({ navigation = [] }) => navigation);
  return links.filter((link) => link.in === place) as FeatureLink[];
}
