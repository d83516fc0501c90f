import { Form, useNavigation } from "react-router";
import { Button } from "../../ui/forms/button.tsx";
import { CheckField } from "../../ui/forms/check-field.tsx";
import { ConflictNotice } from "../../ui/forms/conflict-notice.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { ProofFirst } from "../../ui/forms/proof.tsx";
import { useFirstErrorFocus } from "../../ui/forms/use-first-error-focus.ts";
import { useVersioned } from "../../ui/forms/use-versioned.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { AppSettings } from "./app-settings.ts";
import { MAX_ORGANIZATION_APPS } from "./limits.ts";

type AppSettingsPanelProps = {
  settings: AppSettings & { version: number };
  mayChange: boolean;
  path: string;
  /** A refused form, or what another manager saved meanwhile. */
  result:
    | {
        values: Record<string, string>;
        errors: Record<string, string[]>;
        theirs?: AppSettings & { version: number };
      }
    | undefined;
};

/** What managers allow others to do with apps. */
export function AppSettingsPanel({ settings, mayChange, path, result }: AppSettingsPanelProps) {
  const { t } = useTranslation("connected-apps");
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(result);
  const { theirs, typed, base, field, overwrite } = useVersioned(settings, result);
  const isOn = typed ? typed.organizationApps === "yes" : settings.organizationApps;
  const said = (isAllowed: boolean) => t(isAllowed ? "rules.allowed" : "rules.notAllowed");
  return (
    <Panel title={t("rules.title")} intro={t("rules.intro")}>
      {mayChange ? (
        <Form ref={form} key={base} method="post" noValidate className="grid gap-5">
          <ProofFirst />
          {theirs && (
            <ConflictNotice
              discardHref={path}
              fields={[
                {
                  label: t("rules.organizationApps"),
                  theirs: said(theirs.organizationApps),
                  yours: said(isOn),
                },
              ]}
            />
          )}
          <FormErrors errors={result?.errors[""]} />
          {field}
          <CheckField
            name="organizationApps"
            label={t("rules.organizationApps")}
            hint={t("rules.organizationAppsHint", { maximum: MAX_ORGANIZATION_APPS })}
            defaultChecked={isOn}
          />
          <div>
            <Button name="intent" value="settings" variant="secondary" isBusy={isBusy}>
              {overwrite ?? t("rules.save")}
            </Button>
          </div>
        </Form>
      ) : (
        <p className="text-sm">
          {t("rules.organizationApps")}: {said(settings.organizationApps)}
        </p>
      )}
    </Panel>
  );
}
