import { CheckField } from "../../ui/forms/check-field.tsx";
import { Field, TextField } from "../../ui/forms/field.tsx";
import { ProofFirst } from "../../ui/forms/proof.tsx";
import type { MessageReference } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { APP_NAME_MAX_LENGTH, APP_URL_MAX_LENGTH, URIS_MAX_LENGTH } from "./limits.ts";
import { useScopeText } from "./scope-text.ts";
import { APP_SCOPES, inOrder } from "./scopes.ts";

/** Values of the form as they were stored or typed. */
export type AppValues = {
  name: string;
  uri: string;
  redirectUris: string;
  afterSignOut: string;
  logoutUri: string;
  apis: string;
  scopes: readonly string[];
  skipConsent: boolean;
};

/** The values of a new app. The usual scopes of OpenID Connect are chosen. */
export const NEW_APP: AppValues = {
  name: "",
  uri: "",
  redirectUris: "",
  afterSignOut: "",
  logoutUri: "",
  apis: "",
  scopes: ["openid", "profile", "email"],
  skipConsent: false,
};

/** Returns the values of a form that was refused. */
export function typedApp(typed: Record<string, string>): AppValues {
  const { name = "", uri = "", redirectUris = "", afterSignOut = "", apis = "" } = typed;
  const { logoutUri = "" } = typed;
  const scopes = inOrder(typed.scopes?.split(",") ?? []);
  const skipConsent = typed.skipConsent === "yes";
  return { name, uri, redirectUris, afterSignOut, logoutUri, apis, scopes, skipConsent };
}

type StoredApp = Omit<AppValues, "uri" | "redirectUris" | "afterSignOut" | "logoutUri" | "apis"> & {
  uri: string | null;
  logoutUri: string | null;
  redirectUris: string[];
  afterSignOut: string[];
  apis: string[];
};

/** Returns the values of a stored app. */
export function storedApp({ uri, redirectUris, afterSignOut, apis, ...app }: StoredApp): AppValues {
  return {
    ...app,
    uri: uri ?? "",
    logoutUri: app.logoutUri ?? "",
    redirectUris: redirectUris.join("\n"),
    afterSignOut: afterSignOut.join("\n"),
    apis: apis.join("\n"),
  };
}

type AppFieldsProps = {
  values: AppValues;
  /** Permissions of the API that an app may ask for. */
  callScopes: readonly string[];
  errors: Record<string, MessageReference[]> | undefined;
  /** True for an app of the site, whose people need not be asked. */
  isOfSite: boolean;
  /** False for an app that is known to have no server. */
  hasServer?: boolean;
  /** True where the first field has the focus. */
  isFocused?: boolean;
};

/** The fields that a new app and a stored one have. */
export function AppFields(props: AppFieldsProps) {
  const { values, callScopes, errors, isOfSite, hasServer = true, isFocused = false } = props;
  const { t } = useTranslation("connected-apps");
  return (
    <>
      <ProofFirst />
      <TextField
        name="name"
        label={t("office.name")}
        hint={t("office.nameHint")}
        autoComplete="off"
        dir="auto"
        maxLength={APP_NAME_MAX_LENGTH}
        defaultValue={values.name}
        errors={errors?.name}
        autoFocus={isFocused}
        required
      />
      <UrlField
        name="uri"
        label={t("office.uri")}
        hint={t("office.uriHint")}
        value={values.uri}
        errors={errors?.uri}
      />
      <UriField
        name="redirectUris"
        label={t("office.redirectUris")}
        hint={t("office.redirectUrisHint")}
        value={values.redirectUris}
        errors={errors?.redirectUris}
        isRequired
      />
      <UriField
        name="afterSignOut"
        label={t("office.afterSignOut")}
        hint={t("office.afterSignOutHint")}
        value={values.afterSignOut}
        errors={errors?.afterSignOut}
      />
      {hasServer && (
        <UrlField
          name="logoutUri"
          label={t("office.logoutUri")}
          hint={t("office.logoutUriHint")}
          value={values.logoutUri}
          errors={errors?.logoutUri}
        />
      )}
      <UriField
        name="apis"
        label={t("office.apis")}
        hint={t("office.apisHint")}
        value={values.apis}
        errors={errors?.apis}
      />
      <ScopeFields chosen={values.scopes} callScopes={callScopes} />
      {isOfSite && (
        <CheckField
          name="skipConsent"
          label={t("office.skipConsent")}
          hint={t("office.skipConsentHint")}
          defaultChecked={values.skipConsent}
        />
      )}
    </>
  );
}

type UrlFieldProps = {
  name: string;
  label: string;
  hint: string;
  value: string;
  errors: MessageReference[] | undefined;
};

/** One URL, which may be left out. */
function UrlField({ value, ...field }: UrlFieldProps) {
  return (
    <TextField
      {...field}
      dir="ltr"
      inputMode="url"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={APP_URL_MAX_LENGTH}
      defaultValue={value}
    />
  );
}

type UriFieldProps = UrlFieldProps & { isRequired?: boolean };

/** URIs, one on each line. */
function UriField({ name, label, hint, value, errors, isRequired = false }: UriFieldProps) {
  return (
    <Field name={name} label={label} hint={hint} errors={errors}>
      {(control) => (
        <textarea
          {...control}
          dir="ltr"
          rows={3}
          // A long URI stays one line, so that each is seen to be one.
          wrap="off"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={URIS_MAX_LENGTH}
          defaultValue={value}
          required={isRequired}
          className="input font-mono text-sm"
        />
      )}
    </Field>
  );
}

type ScopeFieldsProps = {
  chosen: readonly string[];
  /** Permissions of the API that an app may ask for. */
  callScopes: readonly string[];
};

/** What an app may ask to know, and what it may ask to do for a person. */
export function ScopeFields({ chosen, callScopes }: ScopeFieldsProps) {
  const { t } = useTranslation("connected-apps");
  return (
    <>
      <ScopeField
        id="scopes"
        label={t("office.scopes")}
        hint={t("office.scopesHint")}
        scopes={APP_SCOPES}
        chosen={chosen}
      />
      {callScopes.length > 0 && (
        <ScopeField
          id="calls"
          label={t("office.calls")}
          hint={t("office.callsHint")}
          scopes={callScopes}
          chosen={chosen}
        />
      )}
    </>
  );
}

type ScopeFieldProps = {
  id: string;
  label: string;
  hint: string;
  scopes: readonly string[];
  chosen: readonly string[];
};

/** What the app may ask for. Who the person is belongs to each sign-in. */
function ScopeField({ id, label, hint, scopes, chosen }: ScopeFieldProps) {
  const textOf = useScopeText();
  return (
    <fieldset className="grid gap-3" aria-describedby={`${id}-hint`}>
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {hint}
      </p>
      {scopes.map((scope) => (
        <div key={scope} className="flex gap-3 text-sm">
          <input
            type="checkbox"
            id={`scope-${scope}`}
            name="scopes"
            value={scope}
            defaultChecked={scope === "openid" || chosen.includes(scope)}
            disabled={scope === "openid"}
            className="mt-[calc((1lh-1.25rem)/2)] size-5 shrink-0"
          />
          <label htmlFor={`scope-${scope}`} className="flex min-w-0 flex-wrap gap-x-2">
            {textOf(scope)}
            <code dir="ltr" lang="en" className="text-muted wrap-anywhere">
              {scope}
            </code>
          </label>
        </div>
      ))}
    </fieldset>
  );
}
