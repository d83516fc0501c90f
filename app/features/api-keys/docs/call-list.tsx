import type { ReactNode } from "react";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Icon } from "../../../ui/text/icon.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import type { CallGroup, ShownCall } from "./shown-calls.ts";

type CallListProps = {
  groups: CallGroup[];
  /** Codes of refusals, with their texts. A refusal's `type` leads to its code. */
  errors: [code: string, text: string][];
  /** Paths of better-auth's client that stay closed, with the reason. */
  closed: [path: string, reason: string][];
};

/** All calls of programs, by group. What is not a sentence of the page stays as programs write it. */
export function CallList({ groups, errors, closed }: CallListProps) {
  const { t } = useTranslation("api");
  return (
    <>
      {groups.map(({ name, calls }) => (
        // The groups of features' calls have their texts in the features. A test proves that each has one.
        <Panel key={name} title={t(`group.${name}` as "group.auth")}>
          <div className="grid min-w-0 divide-y divide-line">
            {calls.map((call) => (
              <Call key={`${call.method} ${call.path}`} call={call} />
            ))}
          </div>
        </Panel>
      ))}
      <Panel title={t("errors.title")} intro={t("errors.intro")}>
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
      <Panel title={t("closed.title")} intro={t("closed.intro")}>
        <dl className="grid gap-3 text-sm">
          {closed.map(([path, reason]) => (
            <div key={path} className="min-w-0" dir="ltr" lang="en">
              <dt className="break-words font-mono">{path}</dt>
              <dd className="text-muted">{reason}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </>
  );
}

function Call({ call: { method, path, summary, fields, answers } }: { call: ShownCall }) {
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
        {answers.length > 0 && (
          <Part title={t("answers")}>
            {answers.map(({ status, text }) => (
              <Row key={status} name={status}>
                {text}
              </Row>
            ))}
          </Part>
        )}
      </div>
    </details>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="font-semibold">{title}</h3>
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
