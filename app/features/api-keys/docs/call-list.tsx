import type { ReactNode } from "react";
import { Panel } from "../../../ui/layout/panel.tsx";
import { CodeBlock } from "../../../ui/text/code-block.tsx";
import { Icon } from "../../../ui/text/icon.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { ScopeText } from "../api-key-facts.tsx";
import { KEY_PLACEHOLDER } from "../snippets.ts";
import type { CallGroup, OwnCall, ShownCall } from "./shown-calls.ts";

type OwnCallsProps = { groups: CallGroup<OwnCall>[]; made: string | undefined };

/** The calls that keys open, by group, each with an example. */
export function OwnCalls({ groups, made }: OwnCallsProps) {
  const { t } = useTranslation("api");
  return groups.map(({ name, calls }) => (
    // The groups of features' calls have their texts in the features. A test proves that each has
    // one.
    <Panel key={name} title={t(`group.${name}` as "group.auth")}>
      <div className="grid min-w-0 divide-y divide-line">
        {calls.map((call) => (
          <Call key={`${call.method} ${call.path}`} call={call}>
            <Details call={call} made={made} />
          </Call>
        ))}
      </div>
    </Panel>
  ));
}

/** Calls, and types in their form. */
export function CallRows({ calls }: { calls: ShownCall[] }) {
  return (
    <div className="grid min-w-0 divide-y divide-line">
      {calls.map((call) => (
        <Call key={`${call.method} ${call.path}`} call={call}>
          <Answers answers={call.answers} />
        </Call>
      ))}
    </div>
  );
}

type ErrorListProps = {
  /** Codes of refusals, with their texts. A refusal's `type` leads to its code. */
  errors: [code: string, text: string][];
};

export function ErrorList({ errors }: ErrorListProps) {
  const { t } = useTranslation("api");
  return (
    <Panel id="errors" title={t("errors.title")} intro={t("errors.intro")}>
      <dl className="grid gap-3 text-sm">
        {errors.map(([code, text]) => (
          <div key={code} id={code} className="min-w-0">
            <dt className="break-words font-mono">
              <bdi dir="ltr" lang="en">
                {code}
              </bdi>
            </dt>
            <dd className="text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** What a key needs for a call, an example of it with its answer, and its errors. */
function Details({ call, made }: { call: OwnCall; made: string | undefined }) {
  const { t } = useTranslation("api");
  const { scopes, request, example, status, errors } = call;
  return (
    <>
      {scopes.length > 0 && (
        <Part title={t("call.permission")}>
          {scopes.map(({ scope, isOfOrganization }) => (
            <div key={`${scope} ${isOfOrganization}`} className="flex min-w-0 flex-wrap gap-x-3">
              <dt className="font-mono" dir="ltr" lang="en">
                {scope}
              </dt>
              <dd className="text-muted">
                <ScopeText scope={scope} isOfOrganization={isOfOrganization} />
              </dd>
            </div>
          ))}
        </Part>
      )}
      <div className="grid gap-2">
        <h4 className="font-semibold">{t("call.request")}</h4>
        <CodeBlock
          text={made === undefined ? request : request.replace(KEY_PLACEHOLDER, made)}
          copy={t("copy")}
        />
      </div>
      <div className="grid gap-2">
        <h4 className="font-semibold">
          {t("send.answer")} <span className="font-mono font-normal">{status}</span>
        </h4>
        {example === undefined ? (
          <p className="text-muted">{t("call.noBody")}</p>
        ) : (
          <CodeBlock text={example} />
        )}
      </div>
      <Part title={t("call.errors")}>
        {errors.map(({ status: refused, code }) => (
          <div key={code} className="flex min-w-0 flex-wrap gap-x-3">
            <dt className="font-mono">{refused}</dt>
            <dd className="min-w-0 font-mono wrap-anywhere" dir="ltr" lang="en">
              <a href={`#${code}`} className="text-accent-ink underline-offset-4 hover:underline">
                {code}
              </a>
            </dd>
          </div>
        ))}
        <div>
          <dt className="sr-only">{t("call.errors")}</dt>
          <dd>
            <a href="#errors" className="text-accent-ink underline-offset-4 hover:underline">
              {t("call.everyError")}
            </a>
          </dd>
        </div>
      </Part>
    </>
  );
}

type CallProps = { call: ShownCall; children: ReactNode };

/** A call, folded at first. Names and values stay as programs write them. */
function Call({ call: { method, path, summary, fields }, children }: CallProps) {
  const { t } = useTranslation("api");
  return (
    <details className="group min-w-0 py-1 text-sm">
      <summary
        className="flex min-h-control list-none items-center gap-2 [&::-webkit-details-marker]:hidden"
        dir="ltr"
        lang="en"
      >
        <Icon name="chevron-down" className="size-4 shrink-0 text-muted group-open:rotate-180" />
        <span className="flex min-w-0 flex-wrap gap-x-2">
          <span className="min-w-0 break-words font-mono">
            {method && <strong className="font-semibold">{method} </strong>}
            {path}
          </span>
          {summary && <span className="text-muted">{summary}</span>}
        </span>
      </summary>
      <div className="grid gap-3 pb-3">
        {fields.length > 0 && (
          <Part title={t("fields")}>
            {fields.map(({ name, type, isRequired }) => (
              <Row key={name} name={name} mark={isRequired && t("required")}>
                {type}
              </Row>
            ))}
          </Part>
        )}
        {children}
      </div>
    </details>
  );
}

function Answers({ answers }: Pick<ShownCall, "answers">) {
  const { t } = useTranslation("api");
  if (answers.length === 0) return null;
  return (
    <Part title={t("answers")}>
      {answers.map(({ status, text }) => (
        <Row key={status} name={status}>
          {text}
        </Row>
      ))}
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h4 className="font-semibold">{title}</h4>
      <dl className="grid gap-1">{children}</dl>
    </div>
  );
}

type RowProps = { name: string; mark?: string | false; children: string };

function Row({ name, mark, children }: RowProps) {
  return (
    <div className="flex min-w-0 flex-wrap gap-x-3">
      <dt className="font-mono" dir="ltr" lang="en">
        {name}
      </dt>
      <dd className="min-w-0 text-muted">
        <bdi dir="ltr" lang="en" className="break-words">
          {children}
        </bdi>
        {mark && <> · {mark}</>}
      </dd>
    </div>
  );
}
