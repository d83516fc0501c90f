import { Form, useNavigation } from "react-router";
import { Button } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { ProofFirst } from "../../../ui/forms/proof.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Formatted } from "../../../ui/text/formatted.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { NAME_MAX_LENGTH, ORGANIZATION_GRACE_DAYS } from "../../../values/limits.ts";

type OrganizationDeletionPanelProps = {
  name: string;
  /** When the organization will be erased; null without a deletion. */
  deletionDueAt: Date | null;
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
};

/** Starts the deletion of an organization after its name was typed, or restores it. For owners. */
export function OrganizationDeletionPanel(props: OrganizationDeletionPanelProps) {
  const { name, deletionDueAt, result } = props;
  const { t } = useTranslation("organizations");
  const format = useFormat();
  const busyIntent = useNavigation().formData?.get("intent");
  if (deletionDueAt) {
    const date = isolate(format.longDay(deletionDueAt));
    return (
      <Panel
        isBeside
        title={t("deletion.started")}
        intro={<Formatted>{t("deletion.due", { date })}</Formatted>}
      >
        <FormErrors errors={result?.errors.deletion} />
        <Form method="post">
          <Button name="intent" value="restore" isBusy={busyIntent === "restore"}>
            {t("deletion.restore")}
          </Button>
        </Form>
      </Panel>
    );
  }
  return (
    <Panel
      isBeside
      title={t("deletion.title")}
      intro={t("deletion.intro", { count: ORGANIZATION_GRACE_DAYS })}
    >
      <FormErrors errors={result?.errors.deletion} />
      <ProofFirst />
      <Form method="post" noValidate className="grid max-w-xl gap-4">
        <TextField
          name="typedName"
          label={t("deletion.typedName", { name: isolate(name) })}
          dir="auto"
          autoComplete="off"
          maxLength={2 * NAME_MAX_LENGTH}
          defaultValue={result?.values.typedName}
          errors={result?.errors.typedName}
          required
        />
        <div>
          <Button variant="danger" name="intent" value="delete" isBusy={busyIntent === "delete"}>
            {t("deletion.title")}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
