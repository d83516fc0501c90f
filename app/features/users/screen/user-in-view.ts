import { href } from "react-router";
import type { InViewAction } from "../../access/in-view.ts";

type Shown = {
  user: { id: string; name: string; email: string; status: string };
  isSelf: boolean;
  /** The reader's permissions. */
  rights: { edit: boolean; ban: boolean; impersonate: boolean };
};

/**
 * Actions of the palette for the user of the open page. Their questions open as after a proof of
 * identity.
 */
export function userInView({ user, isSelf, rights }: Shown): InViewAction[] {
  const { id, email, status } = user;
  const name = user.name || email;
  const page = href("/manager/users/:id", { id });
  const isBanned = status === "banned";
  return [
    ...(rights.edit
      ? [
          {
            label: "users:inView.edit",
            name,
            to: href("/manager/users/:id/update", { id }),
            icon: "pencil",
          } as const,
        ]
      : []),
    ...(rights.ban && !isSelf && !isBanned
      ? [{ label: "users:inView.ban", name, to: `${page}?asked=ban`, icon: "ban" } as const]
      : []),
    ...(rights.impersonate && !isSelf && !isBanned
      ? [
          {
            label: "users:inView.impersonate",
            name,
            to: `${page}?asked=impersonate`,
            icon: "user-round-check",
          } as const,
        ]
      : []),
  ];
}
