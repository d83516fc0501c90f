import { THINGS } from "../access/things.ts";
import { EVENT_TYPES, type EventType, groupOf } from "./events.ts";

/** Value of the box for all groups. */
export const ALL_GROUPS = "all";

const GROUPS = new Set(EVENT_TYPES.map(groupOf));

/** The boxes of the form that choose several types. */
export const EVENT_GROUPS: readonly [string, ...string[]] = [ALL_GROUPS, ...GROUPS];

const FIRST = ["user", "session", "organization", "member"];

/**
 * Returns the groups of types in the order of the form. The features' groups stand between the
 * core's.
 */
export function groupsOf(offered: readonly EventType[]): string[] {
  const groups = [...new Set(offered.map(groupOf))];
  const placeOf = (group: string) =>
    FIRST.includes(group)
      ? FIRST.indexOf(group)
      : FIRST.length + (group in THINGS ? 2 : group === "invitation" ? 1 : 0);
  return groups.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Returns the types that a group's box chooses. */
export function typesIn(offered: readonly EventType[], group: string): EventType[] {
  return offered.filter((type) => group === ALL_GROUPS || groupOf(type) === group);
}

type Ticked = { events: readonly string[]; groups: readonly string[]; full: readonly string[] };

/**
 * Returns the types that a form chooses. Without JavaScript, a group's box does not tick or untick
 * its types. So a group that was ticked chooses all its types. A group that was unticked while all
 * its types stayed ticked chooses none. Otherwise the boxes of the types count.
 */
export function chosenIn(offered: readonly EventType[], { events, groups, full }: Ticked) {
  const wishOf = (group: string, types: readonly EventType[]): boolean | undefined => {
    const [isTicked, wasTicked] = [groups.includes(group), full.includes(group)];
    if (isTicked && !wasTicked) return true;
    const isWhole = types.every((type) => events.includes(type));
    return !isTicked && wasTicked && isWhole ? false : undefined;
  };
  const ofAll = wishOf(ALL_GROUPS, offered);
  return groupsOf(offered).flatMap((group) => {
    const types = typesIn(offered, group);
    const wish = wishOf(group, types) ?? ofAll;
    if (wish === undefined) return types.filter((type) => events.includes(type));
    return wish ? types : [];
  });
}
