import type { ReactNode } from "react";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { Field, TextField } from "../../ui/forms/field.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { NewSecret } from "../../ui/forms/new-secret.tsx";
import { ProofFirst } from "../../ui/forms/proof.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { DrawerForm } from "../../ui/overlays/drawer.tsx";
import { CodeBlock } from "../../ui/text/code-block.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { Message } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { NAME_MAX_LENGTH } from "../../values/limits.ts";
import { API_KEY_DAYS, DEFAULT_API_KEY_DAYS } from "./api-key.ts";
import { ApiKeyFacts, ScopeText, type ShownKey } from "./api-key-facts.tsx";
import { CALL_LOG_DAYS } from "./call-log.ts";
import { DocsLink } from "./docs-link.tsx";

export type OfferedScope = { scope: string; needsProof: boolean };

type MadeKey = { secret: string; example: string | undefined };

type ApiKeysScreenProps = {
  keys: ShownKey[];
  offered: OfferedScope[];
  /** True where the keys are an organization's. */
  isShared: boolean;
  /** True when there is no room for another key. */
  isFull: boolean;
  /** True while the URL asks for a new key. */
  isNew: boolean;
  /** The reader, who alone can replace keys of their own. */
  readerId: string;
  path: string;
  breadcrumb: ReactNode;
  /** `made` is a new key, which is shown once, with a first call if the key may make one. */
  result:
    | { values: Record<string, string>; errors: Record<string, string[]>; made?: MadeKey }
    | undefined;
  now: Date;
};

/** The API keys of a user or of an organization. A new one is shown once, in the answer that made it. */
export function ApiKeysScreen(props: ApiKeysScreenProps) {
  const { isShared, isFull, isNew, path, result } = props;
  const { t } = useTranslation("api-keys");
  const format = useFormat();
  const keys = props.keys.filter(({ revokedAt }) => revokedAt === null);
  const revoked = props.keys.filter(({ revokedAt }) => revokedAt !== null);
  const made = result?.made;
  return (
    <div className="mx-auto grid w-full max-w-3xl grid-cols-1 gap-6">
      <ScreenTitle>{t("title")}</ScreenTitle>
      {isNew && !made && <NewKeyDrawer {...props} />}
      <div className="grid gap-2">
        <ScreenHeader title={t("title")} breadcrumb={props.breadcrumb}>
          <DocsLink madeKey={made?.secret} />
          {!isFull && keys.length > 0 && <NewKeyLink path={path} />}
        </ScreenHeader>
        <p className="text-sm text-muted">{t(isShared ? "introShared" : "intro")}</p>
      </div>
      {!isNew && <FormErrors errors={result?.errors[""]} />}
      {made && (
        <NewSecret
          secret={made.secret}
          to={path}
          title={t("made")}
          label={t("secret")}
          hint={t("madeText")}
          copy={t("copy")}
          done={t("done")}
        >
          {made.example !== undefined && (
            <div className="grid gap-2 text-sm">
              <h3 className="font-medium">{t("tryTitle")}</h3>
              <CodeBlock text={made.example} copy={t("tryCopy")} />
            </div>
          )}
        </NewSecret>
      )}
      {isFull && (
        <p className="text-sm text-muted">
          <Message value="codes:API_KEY_LIMIT_REACHED" />
        </p>
      )}
      {keys.length === 0 ? (
        <EmptyState title={t("empty")} text={t("emptyText")}>
          <NewKeyLink path={path} />
        </EmptyState>
      ) : (
        <Panel title={t("list")}>
          <ul className="grid divide-y divide-line">
            {keys.map((key) => (
              <KeyRow key={key.id} shown={key} {...props} />
            ))}
          </ul>
        </Panel>
      )}
      {revoked.length > 0 && (
        <Panel
          title={t("revokedKeys")}
          intro={t("revokedKeysText", { days: format.number(CALL_LOG_DAYS) })}
        >
          <ul className="grid divide-y divide-line">
            {revoked.map((key) => (
              <KeyRow key={key.id} shown={key} {...props} />
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

function NewKeyLink({ path }: { path: string }) {
  const { t } = useTranslation("api-keys");
  return (
    <ButtonLink isSmall to={`${path}?state=new`} preventScrollReset>
      <Icon name="plus" className="size-4" />
      {t("new")}
    </ButtonLink>
  );
}

function KeyRow({
  shown,
  isShared,
  readerId,
  path,
  now,
}: ApiKeysScreenProps & { shown: ShownKey }) {
  return (
    <li className="flex flex-wrap items-start gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <Icon name="key-round" className="size-5 shrink-0 text-muted" />
      <ApiKeyFacts shown={shown} isShared={isShared} to={`${path}/${shown.id}`} now={now} />
      {!shown.revokedAt && <KeyChanges shown={shown} isOwn={shown.userId === readerId} />}
    </li>
  );
}

function KeyChanges({ shown: { id, name }, isOwn }: { shown: ShownKey; isOwn: boolean }) {
  const { t } = useTranslation("api-keys");
  const ofWhich = (
    <span className="sr-only">
      <bdi>{name}</bdi>
    </span>
  );
  return (
    <div className="flex flex-wrap gap-3 max-sm:ps-8">
      {isOwn && (
        <ConfirmDrawer
          intent="rotate-key"
          needsProof
          text={<WithOwnText text={(value) => t("rotateText", { name: value })} value={name} />}
          trigger={
            <>
              {t("rotate")} {ofWhich}
            </>
          }
        >
          <input type="hidden" name="key" value={id} />
        </ConfirmDrawer>
      )}
      <ConfirmDrawer
        intent="revoke-key"
        isDestructive
        text={<WithOwnText text={(value) => t("revokeText", { name: value })} value={name} />}
        trigger={
          <>
            {t("revoke")} {ofWhich}
          </>
        }
      >
        <input type="hidden" name="key" value={id} />
      </ConfirmDrawer>
    </div>
  );
}

function NewKeyDrawer({ offered, isShared, path, result }: ApiKeysScreenProps) {
  const { t } = useTranslation("api-keys");
  const format = useFormat();
  const { values, errors } = result ?? {};
  const chosen = values?.scope?.split(",");
  return (
    <DrawerForm
      title={t("new")}
      intent="create-key"
      save={t("create")}
      closeTo={path}
      result={result}
    >
      <ProofFirst />
      <TextField
        name="name"
        label={t("name")}
        hint={t("nameHint")}
        autoComplete="off"
        dir="auto"
        maxLength={NAME_MAX_LENGTH}
        defaultValue={values?.name}
        errors={errors?.name}
        autoFocus
        required
      />
      <ScopeField
        offered={offered}
        isShared={isShared}
        chosen={
          chosen ??
          offered.flatMap(({ scope, needsProof }) =>
            scope.endsWith(".read") && !needsProof ? scope : [],
          )
        }
        errors={errors?.scope}
      />
      <Field name="days" label={t("days")} errors={errors?.days}>
        {(control) => (
          <Select {...control} defaultValue={values?.days ?? String(DEFAULT_API_KEY_DAYS)}>
            {API_KEY_DAYS.map((days) => (
              <option key={days} value={days} suppressHydrationWarning>
                {format.quantity(days, "day")}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </DrawerForm>
  );
}

type ScopeFieldProps = {
  offered: OfferedScope[];
  isShared: boolean;
  chosen: string[];
  errors: string[] | undefined;
};

function ScopeField({ offered, isShared, chosen, errors }: ScopeFieldProps) {
  const { t } = useTranslation("api-keys");
  const [error] = errors ?? [];
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium">{t("permissions")}</legend>
      {offered.map(({ scope, needsProof }, index) => {
        const id = `scope-${scope}`;
        const describedBy = [error && index === 0 && "scope-error", needsProof && `${id}-hint`];
        return (
          <div key={scope} className="flex gap-3 text-sm">
            <input
              type="checkbox"
              id={id}
              name="scope"
              value={scope}
              defaultChecked={chosen.includes(scope)}
              aria-invalid={error ? true : undefined}
              aria-describedby={describedBy.filter(Boolean).join(" ") || undefined}
              className="mt-[calc((1lh-1.25rem)/2)] size-5 shrink-0"
            />
            <div className="grid gap-1">
              <label htmlFor={id}>
                <ScopeText scope={scope} isOfOrganization={isShared} />
              </label>
              {needsProof && (
                <p id={`${id}-hint`} className="text-muted">
                  {t("needsProof")}
                </p>
              )}
            </div>
          </div>
        );
      })}
      <p id="scope-error" role="alert" className="text-sm text-danger empty:hidden">
        {error && <Message value={error} />}
      </p>
    </fieldset>
  );
}
