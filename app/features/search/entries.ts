import type { TFunction } from "i18next";
import { generatePath, href } from "react-router";
import type { Thing } from "../../feature.ts";
import type { HeaderProps } from "../../feature.ui.ts";
import type { MessageKey } from "../../i18n/message-key.ts";
import type { IconName } from "../../ui/text/icon-names.ts";
import { withoutScheme } from "../../ui/text/short-link.tsx";
import type { InViewAction } from "../access/in-view.ts";
import { screensIn } from "../access/navigation.ts";
import { THINGS } from "../access/things.ts";
import { pagesFor } from "./pages.ts";
import { paletteRightsOf } from "./rights.ts";
import type { Command } from "./use-commands.ts";

export type Entry = {
  id: string;
  label: string;
  command: Command;
  icon?: IconName;
  /** The user whose picture is shown instead of an icon. */
  person?: { name: string; email: string; avatar: string | null };
  /** Shown after the label in muted text. */
  detail?: string;
  /** Other words by which it is found. */
  words?: string | undefined;
  /** True when the label is a user's own text, which may have any direction. */
  isNamed?: boolean;
  /** Keys of its shortcut, in order. */
  shortcut?: string;
  /** True for a record, which the palette offers again as a recent one. */
  isRecord?: boolean;
};

export type EntryGroup = {
  /** A kind of entries: of the core's, or of a feature's things. */
  name: string;
  label: MessageKey;
  items: Entry[];
};

type Area = Pick<HeaderProps, "area" | "user" | "screens" | "otherArea">;

/**
 * Entries of the palette that are no records: screens and actions. `hasKeyboard` is false on a
 * phone, where shortcuts are of no use. A typed e-mail has an action of its own.
 */
export function commandGroups(
  { area, user, screens, otherArea }: Area,
  { hasKeyboard, term }: { hasKeyboard: boolean; term: string },
  t: TFunction<"search">,
  text: (key: MessageKey) => string,
): EntryGroup[] {
  const rights = paletteRightsOf(user);
  const actions: (Entry | false)[] = [
    rights.createUser && {
      id: "new-user",
      label: t("actions.newUser"),
      icon: "user-plus",
      command: { kind: "go", path: href("/manager/users/new") },
    },
    area === "app" && {
      id: "own-organization",
      label: t("actions.newOrganization"),
      icon: "building-2",
      command: { kind: "go", path: href("/app/organizations/new") },
    },
    rights.createOrganization &&
      area === "manager" && {
        id: "new-organization",
        label: t("actions.newOrganization"),
        icon: "building-2",
        command: { kind: "go", path: href("/manager/organizations/new") },
      },
    ...screensIn("actions")
      .filter(({ to }) => rights.actions.includes(to))
      .map(
        ({ to, label, icon }): Entry => ({
          id: to,
          label: text(label),
          icon,
          command: { kind: "go", path: to },
        }),
      ),
    rights.readMail &&
      term.includes("@") && {
        id: "sign-in",
        label: t("actions.whyNoCode", { email: term }),
        icon: "mail",
        command: {
          kind: "go",
          path: `${href("/manager/mail/sign-in")}?${new URLSearchParams({ email: term })}`,
        },
      },
    hasKeyboard && {
      id: "shortcuts",
      label: t("shortcuts.title"),
      icon: "keyboard",
      shortcut: "?",
      command: { kind: "shortcuts" },
    },
    { id: "sign-out", label: t("actions.signOut"), icon: "log-out", command: { kind: "sign-out" } },
  ];
  const targets = otherArea
    ? [...screens, { ...otherArea, icon: "arrow-left-right" as const }]
    : screens;
  return [
    {
      name: "screens",
      label: "search:groups.screens",
      items: targets.map(({ path, icon, label }) => ({
        id: path,
        label,
        icon,
        command: { kind: "go", path },
      })),
    },
    {
      name: "actions",
      label: "search:groups.actions",
      items: actions.filter((entry) => entry !== false),
    },
  ];
}

/** Entries for the actions on the record of the open screen. */
export function inViewGroup(
  actions: readonly InViewAction[],
  text: (key: MessageKey, values: Record<string, string>) => string,
): EntryGroup {
  return {
    name: "inView",
    label: "search:groups.inView",
    items: actions.map(({ label, name, to, icon }) => ({
      id: to,
      label: text(label, { name }),
      icon,
      command: { kind: "go", path: to },
    })),
  };
}

/**
 * Entries of pages below the screens of the navigation. They are offered once something is typed.
 */
export function pageGroup(
  { user, area }: Pick<HeaderProps, "user" | "area">,
  text: (key: MessageKey) => string,
): EntryGroup {
  return {
    name: "pages",
    label: "search:groups.pages",
    items: pagesFor(user, area).map(({ to, label, words, icon }) => ({
      id: to,
      label: text(label),
      words: words && text(words),
      icon,
      command: { kind: "go", path: to },
    })),
  };
}

type Records = {
  users: { id: string; name: string; email: string; avatar: string | null }[];
  organizations: { id: string; name: string; slug: string }[];
  /** Of the features, by their kind. */
  things: Record<string, { id: string; name: string; detail: string; excerpt?: string }[]>;
  totals: Record<string, { count: number; isCapped: boolean }>;
};

/** Entries of the found records. Users and organizations have a screen in the back-office alone. */
export function recordGroups(
  { users, organizations, things }: Records,
  area: HeaderProps["area"],
): EntryGroup[] {
  return [
    {
      name: "users",
      label: "search:groups.users",
      items: users.map(({ id, name, email, avatar }) => ({
        id,
        label: name || email,
        person: { name, email, avatar },
        detail: name ? email : undefined,
        isNamed: true,
        isRecord: true,
        command: { kind: "go", path: href("/manager/users/:id", { id }) },
      })),
    },
    {
      name: "organizations",
      label: "search:groups.organizations",
      items: organizations.map(({ id, name, slug }) => ({
        id,
        label: name,
        icon: "building-2",
        detail: slug,
        isNamed: true,
        isRecord: true,
        command: { kind: "go", path: href("/manager/organizations/:id", { id }) },
      })),
    },
    ...Object.entries(things).flatMap(([kind, found]): EntryGroup[] => {
      const thing = THINGS[kind];
      if (!thing) return [];
      const screen = screenIn(area, thing);
      const items = found.map(
        ({ id, name, detail, excerpt }): Entry => ({
          id,
          label: name,
          icon: thing.icon,
          detail: excerpt ?? withoutScheme(detail),
          isNamed: true,
          isRecord: true,
          command: { kind: "go", path: generatePath(screen, { id }) },
        }),
      );
      return [{ name: kind, label: thing.label, items }];
    }),
  ];
}

/** Returns the screen of a feature's thing in an area, or else in the back-office. */
function screenIn(area: HeaderProps["area"], { to, toInApp }: Thing): string {
  return area === "app" ? (toInApp ?? to) : to;
}

/** Adds a link to the list of a kind when it finds more records than the palette shows. */
export function withLinksToLists(
  groups: EntryGroup[],
  { totals }: Records,
  { area, term }: { area: HeaderProps["area"]; term: string },
  t: TFunction<"search">,
  writeNumber: (value: number) => string,
): EntryGroup[] {
  const lists: Record<string, string> = {
    users: href("/manager/users"),
    organizations: href("/manager/organizations"),
  };
  for (const [kind, thing] of Object.entries(THINGS)) {
    if (thing) lists[kind] = screenIn(area, thing).replace("/:id", "");
  }
  return groups.map((group) => {
    const [list, found] = [lists[group.name], totals[group.name]];
    if (list === undefined || found === undefined) return group;
    const { count, isCapped } = found;
    if (count <= group.items.length) return group;
    const total = `${writeNumber(count)}${isCapped ? "+" : ""}`;
    const all: Entry = {
      id: `all-${group.name}`,
      label: t("seeAll", { total }),
      icon: "list-filter",
      command: {
        kind: "go",
        path: `${list}?${new URLSearchParams({ searchTerm: term })}`,
      },
    };
    return { ...group, items: [...group.items, all] };
  });
}

/** Keeps the entries that contain every word of a term; drops empty groups. */
export function filterGroups(
  groups: EntryGroup[],
  term: string,
  contains: (text: string, part: string) => boolean,
): EntryGroup[] {
  const words = term.split(/\s+/).filter(Boolean);
  return groups
    .map(({ items, ...group }) => ({
      ...group,
      items: items.filter(({ label, detail, words: others }) => {
        const text = [label, detail, others].filter(Boolean).join(" ");
        return words.every((word) => contains(text, word));
      }),
    }))
    .filter(({ items }) => items.length > 0);
}
