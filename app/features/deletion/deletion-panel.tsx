import { useNavigation } from "react-router";
import { ConfirmDrawer } from "../../ui/confirm-drawer.tsx";
import { FormErrors } from "../../ui/form-errors.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { GRACE_DAYS } from "./grace.ts";

/** "Delete account": says what is deleted and how long it can be cancelled, before it asks for a code. */
export function DeletionPanel({ errors }: { errors: string[] | undefined }) {
  const { t } = useTranslation("account");
  const isBusy = useNavigation().formData?.get("intent") === "request-deletion";
  return (
    <Panel title={t("deletion.title")} intro={t("deletion.intro", { count: GRACE_DAYS })}>
      <FormErrors errors={errors} />
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
