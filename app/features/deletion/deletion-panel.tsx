import { Link, useNavigation } from "react-router";
import { ConfirmDrawer } from "../../ui/confirm-drawer.tsx";
import { FormErrors } from "../../ui/form-errors.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { GRACE_DAYS } from "./grace.ts";

type DeletionPanelProps = {
  errors: string[] | undefined;
  /** Organizations that need another owner first, with the paths of their members. */
  handOvers: { name: string; path: string }[];
};

/** "Delete account": says what is deleted and how long it can be cancelled, before it asks for a code. */
export function DeletionPanel({ errors, handOvers }: DeletionPanelProps) {
  const { t } = useTranslation("account");
  const isBusy = useNavigation().formData?.get("intent") === "request-deletion";
  return (
    <Panel title={t("deletion.title")} intro={t("deletion.intro", { count: GRACE_DAYS })}>
      <FormErrors errors={errors} />
      {handOvers.length > 0 && (
        <Notice kind="info">
          <p>{t("deletion.handOver")}</p>
          <ul className="mt-2 grid gap-1">
            {handOvers.map(({ name, path }) => (
              <li key={path}>
                <Link to={path} dir="auto" className="font-medium text-accent-ink underline">
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div>
        <ConfirmDrawer
          // A refusal is shown in the panel. The new key makes the drawer a new, closed one.
          key={errors?.[0]}
          intent="request-deletion"
          text={t("deletion.text", { count: GRACE_DAYS })}
          isBusy={isBusy}
          isDestructive
          icon="trash-2"
          trigger={t("deletion.title")}
        />
      </div>
    </Panel>
  );
}
