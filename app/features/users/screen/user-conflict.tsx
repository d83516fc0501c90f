import { href } from "react-router";
import { ConflictNotice } from "../../../ui/forms/conflict-notice.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useRoleNames } from "./badges.tsx";

type UserConflictProps = {
  id: string;
  theirs: { name: string; email: string; role: string };
  typed: Record<string, string> | undefined;
};

/** Says that someone else saved a user meanwhile, with both versions. */
export function UserConflict({ id, theirs, typed }: UserConflictProps) {
  const { t } = useTranslation("users");
  const namesOf = useRoleNames();
  return (
    <ConflictNotice
      discardHref={href("/manager/users/:id", { id })}
      fields={[
        { label: t("name"), theirs: theirs.name, yours: typed?.name },
        { label: t("email"), theirs: theirs.email, yours: typed?.email },
        { label: t("role"), theirs: namesOf(theirs.role), yours: namesOf(typed?.role) },
      ]}
    />
  );
}
