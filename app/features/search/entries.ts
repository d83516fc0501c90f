import type { TFunction } from "i18next";
import { href } from "react-router";
import type { IconName } from "../../ui/text/icon-names.ts";
import { withoutScheme } from "../../ui/text/short-link.tsx";
import type { PaletteRights } from "./rights.ts";
import type { Command } from "./use-commands.ts";

export type SearchLauncherProps = {
  area: "app" | "manager";
  /** Screens of the area, as in its navigation. */
  screens: readonly { path: string; icon: IconName; label: string }[];
  /** The other area, for users who may open both. */
  otherArea: { path: string; label: string } | undefined;
  rights: PaletteRights;
};

export type Entry = {
  id: string;
  label: string;
  command: Command;
  icon?: IconName;
  /** The user whose picture is shown instead of an icon. */
  person?: { name: string; email: string; avatar: string | null };
  /** Shown after the label in muted text. */
  detail?: string;
  /** True when the label is a user's own text, which may have any direction. */
  isNamed?: boolean;
  /** Keys of its shortcut, in order. */
  shortcut?: string;
  /** True for a record, which the palette offers again as a recent one. */
  isRecord?: boolean;
};

export type EntryGroup = { name: GroupName; items: Entry[] };

type GroupName = "recent" | "screens" | "actions" | "users" | "organizations" | "repositories";

type Area = Pick<SearchLauncherProps, "screens" | "otherArea" | "rights">;

/**
 * Entries that the palette offers before anything is typed: screens and actions. `hasKeyboard` is false on a phone, where
 * shortcuts are of no use.
 */
export function commandGroups(
  { screens, otherArea, rights }: Area,
  hasKeyboard: boolean,
  t: TFunction<"search">,
): EntryGroup[] {
  const actions: (Entry | false)[] = [
    rights.createUser && {
      id: "new-user",
      label: t("actions.newUser"),
      icon: "user-plus",
      command: { kind: "go", path: href("/manager/users/new") },
    },
    rights.createOrganization && {
      id: "new-organization",
      label: t("actions.newOrganization"),
      icon: "building-2",
      command: { kind: "go", path: href("/manager/organizations/new") },
    },
    rights.createRepository && {
      id: "new-repository",
      label: t("actions.newRepository"),
      icon: "folder-plus",
      command: { kind: "go", path: href("/manager/repositories/new") },
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
      items: targets.map(({ path, icon, label }) => ({
        ...{ id: path, label, icon },
        command: { kind: "go", path },
      })),
    },
    { name: "actions", items: actions.filter((entry) => entry !== false) },
  ];
}

type Records = {
  users: { id: string; name: string; email: string; avatar: string | null }[];
  organizations: { id: string; name: string; slug: string }[];
  repositories: { id: string; name: string; link: string; excerpt?: string }[];
  totals: Record<"users" | "organizations" | "repositories", { count: number; isCapped: boolean }>;
};

/** Entries of the found records. Users and organizations have a screen in the back-office, repositories in each area. */
export function recordGroups(
  { users, organizations, repositories }: Records,
  area: SearchLauncherProps["area"],
): EntryGroup[] {
  return [
    {
      name: "users",
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
    {
      name: "repositories",
      items: repositories.map(({ id, name, link, excerpt }) => ({
        id,
        label: name,
        icon: "folder-git-2",
        detail: excerpt ?? withoutScheme(link),
        isNamed: true,
        isRecord: true,
        command: { kind: "go", path: href(`/${area}/repositories/:id`, { id }) },
      })),
    },
  ];
}

/** Adds a link to the list of a kind when it finds more records than the palette shows. */
export function withLinksToLists(
  groups: EntryGroup[],
  { totals }: Records,
  { area, term }: { area: SearchLauncherProps["area"]; term: string },
  t: TFunction<"search">,
  writeNumber: (value: number) => string,
): EntryGroup[] {
  const lists = {
    users: href("/manager/users"),
    organizations: href("/manager/organizations"),
    repositories: href(`/${area}/repositories`),
  };
  return groups.map((group) => {
    if (!isListed(group.name)) return group;
    const { count, isCapped } = totals[group.name];
    if (count <= group.items.length) return group;
    const total = `${writeNumber(count)}${isCapped ? "+" : ""}`;
    const all: Entry = {
      id: `all-${group.name}`,
      label: t("seeAll", { total }),
      icon: "list-filter",
      command: {
        kind: "go",
        path: `${lists[group.name]}?${new URLSearchParams({ searchTerm: term })}`,
      },
    };
    return { name: group.name, items: [...group.items, all] };
  });
}

function isListed(name: GroupName): name is keyof Records["totals"] {
  return name === "users" || name === "organizations" || name === "repositories";
}

/** Keeps the entries that contain every word of a term; drops empty groups. */
export function filterGroups(
  groups: EntryGroup[],
  term: string,
  contains: (text: string, part: string) => boolean,
): EntryGroup[] {
  const words = term.split(/\s+/).filter(Boolean);
  return groups
    .map(({ name, items }) => ({
      name,
      items: items.filter(({ label, detail }) => {
        const text = [label, detail].filter(Boolean).join(" ");
        return words.every((word) => contains(text, word));
      }),
    }))
    .filter(({ items }) => items.length > 0);
}
