import type { FeatureFacts, PartLink, Place, ScreenLink } from "../../feature.ts";
import { FEATURES } from "../../features.ts";
import type { MessageKey } from "../../i18n/message-key.ts";
import { may, type Permission, type RoleHolder } from "./permissions.ts";

type Checked<Link extends Place> = Link & {
  label: MessageKey;
  short?: MessageKey;
  search?: MessageKey;
  words?: MessageKey;
  needs: Permission;
};

const features: readonly FeatureFacts[] = FEATURES;
const LINKS = features.flatMap(({ navigation = [] }) => navigation);

// `features.check.ts` compares their texts, paths and permissions with the tables.

/** Returns the features' links in one of the core's screens. */
export function navigationIn(place: PartLink["in"]) {
  return LINKS.filter((link) => link.in === place) as Checked<PartLink>[];
}

/**
 * Returns the features' screens in the navigation of an area, or the actions or pages that the
 * search offers.
 */
export function screensIn(place: ScreenLink["in"]) {
  return LINKS.filter((link) => link.in === place) as Checked<ScreenLink>[];
}

/** Returns those of them that a user may open. */
export function screensFor(user: RoleHolder, place: ScreenLink["in"]) {
  return screensIn(place)
    .filter(({ needs }) => may(user, needs))
    .map(({ to, label, icon }) => ({ path: to, label, icon }));
}
