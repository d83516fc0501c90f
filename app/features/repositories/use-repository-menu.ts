import { href } from "react-router";
import type { RowAction, RowMenuOptions } from "../../lists/row-menu.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useCan } from "../access/use-can.tsx";

/** What the "⋯" of a repository offers a manager. */
export function useRepositoryMenu(): RowMenuOptions<{ id: string; name: string }> {
  const { t } = useTranslation("repositories");
  const common = useTranslation().t;
  const can = useCan();
  const destructive: RowAction = {
    intent: "delete",
    icon: "trash-2",
    label: common("actions.delete"),
    isDestructive: true,
  };
  return {
    nameOf: ({ name }) => name,
    to: ({ id }) => href("/manager/repositories/:id", { id }),
    idOf: ({ id }) => id,
    links: ({ id }) => [
      { to: href("/manager/repositories/:id", { id }), icon: "folder-git-2", label: t("rowOpen") },
      ...(can("repository", "update")
        ? [
            {
              to: href("/manager/repositories/:id/update", { id }),
              icon: "pencil",
              label: common("actions.edit"),
            } as const,
          ]
        : []),
    ],
    actions: () => (can("repository", "delete") ? [destructive] : []),
  };
}
