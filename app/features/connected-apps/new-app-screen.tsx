import { ButtonLink } from "../../ui/forms/button.tsx";
import { ChoiceField } from "../../ui/forms/choice-field.tsx";
import { NewSecret } from "../../ui/forms/new-secret.tsx";
import { RecordForm } from "../../ui/forms/record-form.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { BreadcrumbTo } from "../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { AppFields, NEW_APP, typedApp } from "./app-fields.tsx";
import { ClientFacts } from "./client-facts.tsx";
import { APP_KINDS } from "./redirect-uris.ts";

type NewAppScreenProps = {
  /** URL of this site, as apps know it. */
  issuer: string;
  list: string;
  /** True for an app of the site. The screen around the form of an organization has a header. */
  isOfSite?: boolean;
  /** Permissions of the API that an app may ask for. */
  callScopes: readonly string[];
  /** A refused form; or an app that was made, with its secret, which is shown this once. */
  result:
    | {
        values: Record<string, string>;
        errors: Record<string, string[]>;
        made?: { id: string; clientId: string; secret: string };
      }
    | undefined;
};

export function NewAppScreen(props: NewAppScreenProps) {
  const { issuer, list, callScopes, isOfSite = false, result } = props;
  const { t } = useTranslation("connected-apps");
  const common = useTranslation().t;
  const made = result?.made;
  return (
    <div className="grid w-full max-w-3xl grid-cols-1 gap-6">
      {isOfSite && (
        <>
          <ScreenTitle>{t("office.add")}</ScreenTitle>
          <BreadcrumbTo to={list}>{t("office.title")}</BreadcrumbTo>
        </>
      )}
      {made ? (
        <NewSecret
          secret={made.secret}
          to={`${list}/${made.id}`}
          title={t("office.made")}
          label={t("office.secret")}
          hint={t("office.madeText")}
          copy={t("office.copySecret")}
          done={t("office.done")}
        >
          <dl className="grid gap-4 border-t text-sm border-line pt-4">
            <ClientFacts issuer={issuer} clientId={made.clientId} />
          </dl>
        </NewSecret>
      ) : (
        <>
          {isOfSite && <h2 className="text-lg font-semibold">{t("office.add")}</h2>}
          <RecordForm
            result={result}
            submitLabel={t("office.add")}
            beside={
              <ButtonLink variant="secondary" to={list}>
                {common("actions.cancel")}
              </ButtonLink>
            }
          >
            <KindField typed={result?.values.kind} errors={result?.errors.kind} />
            <AppFields
              values={result ? typedApp(result.values) : NEW_APP}
              callScopes={callScopes}
              errors={result?.errors}
              isOfSite={isOfSite}
            />
          </RecordForm>
        </>
      )}
    </div>
  );
}

type KindFieldProps = { typed: string | undefined; errors: string[] | undefined };

function KindField({ typed = "server", errors }: KindFieldProps) {
  const { t } = useTranslation("connected-apps");
  return (
    <ChoiceField
      name="kind"
      label={t("office.kindLabel")}
      value={typed}
      choices={APP_KINDS.map((kind) => ({
        value: kind,
        label: t(`office.kinds.${kind}`),
        hint: t(`office.kindHints.${kind}`),
      }))}
      errors={errors}
    />
  );
}
