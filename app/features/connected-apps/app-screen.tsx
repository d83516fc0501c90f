import type { ReactNode } from "react";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ConflictNotice } from "../../ui/forms/conflict-notice.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { IntentButton } from "../../ui/forms/intent-button.tsx";
import { NewSecret } from "../../ui/forms/new-secret.tsx";
import { useVersioned } from "../../ui/forms/use-versioned.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { DrawerForm } from "../../ui/overlays/drawer.tsx";
import { Dotted } from "../../ui/text/dotted.tsx";
import { Fact, ShortFacts } from "../../ui/text/fact.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { DetailTime, RelativeTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { AppFields, storedApp, typedApp } from "./app-fields.tsx";
import { AppLogo } from "./app-logo.tsx";
import { AppState } from "./app-state.tsx";
import type { ShownApp } from "./apps.server.ts";
import { ClientFacts } from "./client-facts.tsx";
import { useScopeText } from "./scope-text.ts";
import { inOrder } from "./scopes.ts";

type AppScreenProps = {
  app: ShownApp;
  /** URL of this site, as apps know it. */
  issuer: string;
  /** True where logos can be uploaded. */
  hasPictures: boolean;
  /** Permissions of the API that an app may ask for. */
  callScopes: readonly string[];
  mayChange: boolean;
  /** True for who may switch it off or delete it: managers also an organization's app. */
  mayEnd: boolean;
  /** True in the back-office. */
  isOfSite?: boolean;
  /** True while the URL asks for the form. */
  isEdited: boolean;
  path: string;
  now: Date;
  /** Links to the screens above, where no header has them. */
  children?: ReactNode;
  /** The answer to a form: its errors, a new secret, or what somebody else saved meanwhile. */
  result:
    | {
        values: Record<string, string>;
        errors: Record<string, string[]>;
        secret?: string;
        theirs?: ShownApp;
      }
    | undefined;
};

/** One app: what it is, what is entered into its settings, and what can be done with it. */
export function AppScreen(props: AppScreenProps) {
  const {
    app,
    issuer,
    hasPictures,
    mayChange,
    mayEnd,
    isOfSite = false,
    isEdited,
    path,
    now,
    result,
  } = props;
  const { t } = useTranslation("connected-apps");
  const { secret, theirs } = result ?? {};
  const isFormOpen = (isEdited || theirs !== undefined) && secret === undefined;
  return (
    <div className="grid w-full max-w-3xl grid-cols-1 gap-6">
      {isOfSite && <ScreenTitle>{app.name}</ScreenTitle>}
      {props.children}
      {isFormOpen && <EditDrawer {...props} />}
      {!isFormOpen && <FormErrors errors={result?.errors[""]} />}
      {secret !== undefined && (
        <NewSecret
          secret={secret}
          to={path}
          title={t("office.made")}
          label={t("office.secret")}
          hint={t("office.rotatedText")}
          copy={t("office.copySecret")}
          done={t("office.done")}
        />
      )}
      <Panel
        title={isOfSite ? app.name : t("owned.details")}
        action={
          mayChange &&
          !app.isRegistered && (
            <ButtonLink variant="secondary" isSmall to={`${path}?state=edit`} preventScrollReset>
              <Icon name="pencil" className="size-4" />
              {t("office.edit")}
            </ButtonLink>
          )
        }
      >
        <div className="flex flex-wrap items-center gap-4">
          <AppLogo {...app} size="lg" />
          {mayChange && hasPictures && !app.isRegistered && (
            <ButtonLink variant="secondary" isSmall to={`${path}/logo`}>
              {t("office.changeLogo")}
            </ButtonLink>
          )}
        </div>
        <AppFacts app={app} isOfSite={isOfSite} now={now} />
        {mayEnd && <Controls app={app} isOfSite={isOfSite} />}
      </Panel>
      <Panel title={t("office.settings")} intro={t("office.settingsText")}>
        <dl className="grid gap-4 text-sm">
          <ClientFacts issuer={issuer} clientId={app.clientId} />
          {app.oldSecretUntil && (
            <Fact term={t("office.oldSecretUntil")}>
              <DetailTime date={app.oldSecretUntil} now={now} hasLine />
            </Fact>
          )}
        </dl>
        {mayChange && app.kind === "server" && (
          <div className="border-t border-line pt-4">
            <ConfirmDrawer
              intent="rotate"
              needsProof
              trigger={t("office.rotate")}
              text={t(app.oldSecretUntil ? "office.rotateAgainText" : "office.rotateText")}
            />
          </div>
        )}
      </Panel>
    </div>
  );
}

function AppFacts({ app, isOfSite, now }: Pick<AppScreenProps, "app" | "isOfSite" | "now">) {
  const { t } = useTranslation("connected-apps");
  const { uri, kind, redirectUris, afterSignOut, apis, scopes, skipConsent, disabled, maker } = app;
  return (
    <ShortFacts>
      <Fact term={t("office.state")}>
        <AppState disabled={disabled} />
      </Fact>
      {isOfSite && app.organization && (
        <Fact term={t("owned.organization")}>
          <bdi>{app.organization.name}</bdi>
        </Fact>
      )}
      <Fact term={t("office.kind")}>{t(`office.kinds.${kind}`)}</Fact>
      {app.isRegistered && <Fact term={t("office.by")}>{t("registration.itselfText")}</Fact>}
      <Fact term={t("office.people")}>
        <PeopleCount app={app} />
      </Fact>
      {uri && (
        <Fact term={t("office.uri")}>
          <Uris uris={[uri]} />
        </Fact>
      )}
      <Fact term={t("office.redirectUris")}>
        <Uris uris={redirectUris} />
      </Fact>
      {afterSignOut.length > 0 && (
        <Fact term={t("office.afterSignOut")}>
          <Uris uris={afterSignOut} />
        </Fact>
      )}
      {app.logoutUri && (
        <Fact term={t("office.logoutUri")}>
          <Uris uris={[app.logoutUri]} />
          <LastLogout app={app} now={now} />
        </Fact>
      )}
      {apis.length > 0 && (
        <Fact term={t("office.apis")}>
          <Uris uris={apis} />
        </Fact>
      )}
      <Fact term={t("office.scopes")}>
        <ul className="flex flex-wrap gap-x-3 gap-y-1">
          {scopes.map((scope) => (
            <li key={scope}>
              <code dir="ltr" lang="en">
                {scope}
              </code>
            </li>
          ))}
        </ul>
      </Fact>
      {isOfSite && (
        <Fact term={t("office.consent")}>
          {t(skipConsent ? "office.notAsked" : "office.asked")}
        </Fact>
      )}
      <Fact term={t("office.created")}>
        <DetailTime date={app.createdAt} now={now} />
      </Fact>
      {maker && (
        <Fact term={t("office.by")}>
          <bdi>{maker}</bdi>
        </Fact>
      )}
    </ShortFacts>
  );
}

/** When the app was last told of a sign-out, and what it answered. */
function LastLogout({ app: { lastLogout }, now }: Pick<AppScreenProps, "app" | "now">) {
  const { t } = useTranslation("connected-apps");
  if (!lastLogout) return <span className="text-muted">{t("office.neverTold")}</span>;
  const { at, answer } = lastLogout;
  return (
    <span className="text-muted">
      <Dotted>
        <span>
          {t("office.lastTold")} <RelativeTime date={at} now={now} />
        </span>
        <span>{told()}</span>
      </Dotted>
    </span>
  );

  function told(): string {
    switch (answer) {
      case "timeout":
      case "unreachable":
      case "closed":
        return t(`office.logoutAnswers.${answer}`);
      default:
        return answer.startsWith("2")
          ? t("office.logoutAnswers.accepted")
          : t("office.logoutAnswers.refused", { status: answer });
    }
  }
}

function Uris({ uris }: { uris: readonly string[] }) {
  return (
    <ul className="grid gap-1">
      {uris.map((uri) => (
        <li key={uri}>
          <bdi dir="ltr" className="wrap-anywhere">
            {uri}
          </bdi>
        </li>
      ))}
    </ul>
  );
}

function PeopleCount({ app: { people, hasMorePeople } }: { app: ShownApp }) {
  const format = useFormat();
  return <Formatted>{`${format.number(people)}${hasMorePeople ? "+" : ""}`}</Formatted>;
}

function Controls({ app, isOfSite }: Pick<AppScreenProps, "app" | "isOfSite">): ReactNode {
  const { t } = useTranslation("connected-apps");
  const format = useFormat();
  const { name, people: count, hasMorePeople, disabled } = app;
  const isOffBySite = app.disabledBySite && !isOfSite;
  const formatted = `${format.number(count)}${hasMorePeople ? "+" : ""}`;
  return (
    <div className="flex flex-wrap gap-3 border-t border-line pt-4">
      {isOffBySite && <p className="basis-full text-sm">{t("owned.offBySite")}</p>}
      {isOffBySite ? null : disabled ? (
        <IntentButton intent="enable">{t("office.enable")}</IntentButton>
      ) : (
        <ConfirmDrawer
          intent="disable"
          needsProof
          icon="ban"
          trigger={t("office.disable")}
          text={
            <WithOwnText text={(value) => t("office.disableText", { name: value })} value={name} />
          }
        />
      )}
      <ConfirmDrawer
        intent="delete"
        isDestructive
        needsProof
        icon="trash-2"
        trigger={t("office.delete")}
        text={
          <WithOwnText
            text={(value) =>
              count === 0
                ? t("office.deleteUnusedText", { name: value })
                : t("office.deleteText", { name: value, count, formatted })
            }
            value={name}
          />
        }
      />
    </div>
  );
}

/** The drawer with the fields. */
function EditDrawer({ app, callScopes, path, isOfSite = false, result }: AppScreenProps) {
  const { t } = useTranslation("connected-apps");
  const isTyped = result?.values.intent === "update";
  const { theirs, typed, base, field, overwrite } = useVersioned(app, isTyped ? result : undefined);
  const { errors } = result ?? {};
  const values = typed ? typedApp(typed) : storedApp(app);
  return (
    <DrawerForm
      key={base}
      title={t("office.edit")}
      intent="update"
      save={overwrite ?? t("office.save")}
      closeTo={path}
      result={errors && { errors }}
    >
      {theirs && <AppConflict theirs={storedApp(theirs)} yours={values} path={path} />}
      {field}
      <AppFields
        values={values}
        callScopes={callScopes}
        errors={errors}
        isOfSite={isOfSite}
        hasServer={app.kind === "server"}
        isFocused
      />
    </DrawerForm>
  );
}

type AppConflictProps = Record<"theirs" | "yours", ReturnType<typeof storedApp>> & { path: string };

/** What somebody else saved meanwhile. */
function AppConflict({ theirs, yours, path }: AppConflictProps) {
  const { t } = useTranslation("connected-apps");
  const textOf = useScopeText();
  const scopesOf = ({ scopes }: typeof theirs) =>
    inOrder(["openid", ...scopes])
      .map(textOf)
      .join("\n");
  const consentOf = ({ skipConsent }: typeof theirs) =>
    t(skipConsent ? "office.notAsked" : "office.asked");
  return (
    <ConflictNotice
      discardHref={`${path}?state=edit`}
      fields={[
        { label: t("office.name"), theirs: theirs.name, yours: yours.name },
        { label: t("office.uri"), theirs: theirs.uri, yours: yours.uri },
        { label: t("office.redirectUris"), theirs: theirs.redirectUris, yours: yours.redirectUris },
        { label: t("office.afterSignOut"), theirs: theirs.afterSignOut, yours: yours.afterSignOut },
        { label: t("office.logoutUri"), theirs: theirs.logoutUri, yours: yours.logoutUri },
        { label: t("office.apis"), theirs: theirs.apis, yours: yours.apis },
        { label: t("office.scopes"), theirs: scopesOf(theirs), yours: scopesOf(yours) },
        { label: t("office.consent"), theirs: consentOf(theirs), yours: consentOf(yours) },
      ]}
    />
  );
}
