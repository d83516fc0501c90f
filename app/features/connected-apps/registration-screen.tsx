import { CheckField } from "../../ui/forms/check-field.tsx";
import { ConflictNotice } from "../../ui/forms/conflict-notice.tsx";
import { ProofFirst } from "../../ui/forms/proof.tsx";
import { RecordForm } from "../../ui/forms/record-form.tsx";
import { useVersioned } from "../../ui/forms/use-versioned.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { BreadcrumbTo } from "../../ui/layout/screen-header.tsx";
import { Fact, ShortFacts } from "../../ui/text/fact.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { ScopeFields } from "./app-fields.tsx";
import { MAX_REGISTERED_APPS } from "./limits.ts";
import type { RegistrationSettings } from "./registration.server.ts";
import { useScopeText } from "./scope-text.ts";
import { inOrder } from "./scopes.ts";

type RegistrationScreenProps = {
  settings: RegistrationSettings;
  /** How many apps have registered themselves. */
  count: number;
  /** Permissions of the API that an app may ask for. */
  callScopes: readonly string[];
  mayChange: boolean;
  list: string;
  path: string;
  /** A refused form, or what another manager saved meanwhile. */
  result:
    | {
        values: Record<string, string>;
        errors: Record<string, string[]>;
        theirs?: RegistrationSettings;
      }
    | undefined;
};

/** Whether apps may register themselves, and what such apps may ask for. */
export function RegistrationScreen(props: RegistrationScreenProps) {
  const { settings, count, callScopes, mayChange, list, path, result } = props;
  const { t } = useTranslation("connected-apps");
  const textOf = useScopeText();
  const format = useFormat();
  const { theirs, typed, base, field, overwrite } = useVersioned(settings, result);
  const values = typed ? typedSettings(typed) : settings;
  return (
    <div className="grid w-full max-w-3xl grid-cols-1 gap-6">
      <ScreenTitle>{t("registration.title")}</ScreenTitle>
      <BreadcrumbTo to={list}>{t("office.title")}</BreadcrumbTo>
      {theirs && <SettingsConflict theirs={theirs} yours={values} path={path} />}
      <Panel title={t("registration.title")} intro={t("registration.intro")}>
        <p className="text-sm text-muted">{t("registration.room")}</p>
        <ShortFacts>
          <Fact term={t("registration.count")}>
            <Formatted>
              {t("registration.countOf", {
                taken: format.number(count),
                maximum: format.number(MAX_REGISTERED_APPS),
              })}
            </Formatted>
          </Fact>
          {!mayChange && (
            <>
              <Fact term={t("registration.byCall")}>{t(stateOf(settings.byCall))}</Fact>
              <Fact term={t("registration.byDocument")}>{t(stateOf(settings.byDocument))}</Fact>
              <Fact term={t("office.scopes")}>{settings.scopes.map(textOf).join(" · ")}</Fact>
            </>
          )}
        </ShortFacts>
      </Panel>
      {mayChange && (
        <RecordForm key={base} result={result} submitLabel={overwrite ?? t("office.save")}>
          {field}
          <ProofFirst />
          <CheckField
            name="byCall"
            label={t("registration.byCall")}
            hint={t("registration.byCallHint")}
            defaultChecked={values.byCall}
          />
          <CheckField
            name="byDocument"
            label={t("registration.byDocument")}
            hint={t("registration.byDocumentHint")}
            defaultChecked={values.byDocument}
          />
          <ScopeFields chosen={values.scopes} callScopes={callScopes} />
        </RecordForm>
      )}
    </div>
  );
}

const stateOf = (isOn: boolean) => (isOn ? "office.on" : "registration.off");

type Values = Omit<RegistrationSettings, "version">;

function typedSettings({ byCall, byDocument, scopes = "" }: Record<string, string>): Values {
  return {
    byCall: byCall === "yes",
    byDocument: byDocument === "yes",
    scopes: inOrder(["openid", ...scopes.split(",")]),
  };
}

type SettingsConflictProps = { theirs: Values; yours: Values; path: string };

/** What another manager saved meanwhile. */
function SettingsConflict({ theirs, yours, path }: SettingsConflictProps) {
  const { t } = useTranslation("connected-apps");
  const textOf = useScopeText();
  const scopesOf = (scopes: readonly string[]) => scopes.map(textOf).join("\n");
  return (
    <ConflictNotice
      discardHref={path}
      fields={[
        {
          label: t("registration.byCall"),
          theirs: t(stateOf(theirs.byCall)),
          yours: t(stateOf(yours.byCall)),
        },
        {
          label: t("registration.byDocument"),
          theirs: t(stateOf(theirs.byDocument)),
          yours: t(stateOf(yours.byDocument)),
        },
        {
          label: t("office.scopes"),
          theirs: scopesOf(theirs.scopes),
          yours: scopesOf(yours.scopes),
        },
      ]}
    />
  );
}
