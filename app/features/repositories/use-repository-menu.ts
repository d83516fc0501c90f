import { href } from "react-router";
import type { RowMenuOptions } from "../../lists/table/row-menu.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useCan } from "../access/use-can.tsx";

/** What the "⋯" of a repository offers a manager. */
export function useRepositoryMenu(): RowMenuOptions<{ id: string; name: string }> {
  const { t } = useTranslation();
  const can = useCan();
  return {
    nameOf: ({ name }) => name,
    idOf: ({ id }) => id,
    screen: {
      icon: "folder-git-2",
      pathOf: ({ id }) => href("/manager/repositories/:id", { id }),
    },
    links: ({ id }) => [
      can("repository", "update") && {
        to: href("/manager/repositories/:id/update", { id }),
        icon: "pencil",
        label: t("actions.edit"),
      },
    ],
    actions: () => [
      can("repository", "delete") && {
        intent: "delete",
        icon: "trash-2",
        label: t("actions.delete"),
        isDestructive: true,
      },
    ],
  };
}
