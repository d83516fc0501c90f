import { Fragment, useEffect, useRef } from "react";
import { Form, Link, useLocation } from "react-router";
import { Button, buttonClass } from "../ui/button.tsx";
import { EmailText } from "../ui/email-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { Message, messageReference } from "../ui/message.tsx";
import { useTranslation } from "../ui/translation.tsx";
import { useFormat } from "../ui/use-format.ts";
import type { BulkItem } from "./bulk-report.ts";
import type { Selection } from "./selection.ts";

/** Above this number names are counted instead of listed. */
const MAX_NAMES = 8;

/**
 * Result of a bulk action: how many rows were changed, which were refused and why. Stays until it is dismissed, and
 * offers to undo the change where possible.
 */
export function BulkNotice({ selection }: { selection: Selection }) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const notice = useRef<HTMLElement>(null);
  const { outcome, start, dismiss } = selection;
  const { report, error } = outcome ?? {};
  const items = report?.items ?? [];
  const done = items.filter(({ refusal }) => !refusal);
  const refused = items.filter(({ refusal }) => refusal);
  const reasons = [...new Set(refused.map(({ refusal }) => refusal ?? ""))];
  const repeated = repeatedNames(items);
  const isWhole = refused.length === 0 && !error;

  // Outside React: the focus, because the button that had it is gone and a screen reader must read the result next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each outcome
  useEffect(() => notice.current?.focus(), [outcome]);

  return (
    <section
      ref={notice}
      tabIndex={-1}
      role="status"
      className={`flex items-start justify-between gap-2 rounded-md border ps-4 pe-2 text-sm ${isWhole ? "border-success-line bg-success-fill" : "border-warning-line bg-warning-fill"}`}
    >
      <div className="grid min-w-0 grow gap-2 py-3">
        {report && done.length > 0 && (
          <p>
            <Message value={messageReference(report.done, { count: done.length })} />{" "}
            <Names items={done} repeated={repeated} />
          </p>
        )}
        {refused.length > 0 && (
          <>
            <p>{t("selection.refused", { count: refused.length })}</p>
            <ul className="grid list-disc gap-1 ps-5">
              {reasons.map((reason) => (
                <li key={reason}>
                  <Names
                    items={refused.filter(({ refusal }) => refusal === reason)}
                    repeated={repeated}
                  />{" "}
                  — <Message value={reason} />
                </li>
              ))}
            </ul>
          </>
        )}
        {error && (
          <p>
            <Message value={error} />
          </p>
        )}
      </div>
      {report?.undo && done.length > 0 && (
        <Form method="post" onSubmit={start} className="shrink-0 py-1">
          {done.map(({ id }) => (
            <input key={id} type="hidden" name="id" value={id} />
          ))}
          <Button variant="secondary" isSmall name="intent" value={report.undo}>
            {t("actions.undo")}
          </Button>
        </Form>
      )}
      <Link
        to={pathname + search}
        replace
        preventScrollReset
        aria-label={t("selection.dismiss")}
        className={buttonClass("quiet", "my-1 shrink-0", true)}
        onClick={(event) => {
          event.preventDefault();
          dismiss();
        }}
      >
        <Icon name="x" className="size-4" />
      </Link>
    </section>
  );
}

/** Returns the names that several rows share. */
function repeatedNames(items: BulkItem[]): Set<string> {
  const names = items.map(({ name }) => name);
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}

type NamesProps = {
  items: BulkItem[];
  /** Names that need a detail to tell them apart. */
  repeated: Set<string>;
};

function Names({ items, repeated }: NamesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = items.filter(({ name }) => name).slice(0, MAX_NAMES);
  const hidden = items.length - shown.length;
  const rest = shown.length > 0 ? "selection.more" : "selection.unnamed";
  const parts = shown.map(({ id, name, detail }) => (
    <Fragment key={id}>
      <bdi>{name}</bdi>
      {detail && repeated.has(name) && (
        <>
          {" "}
          <span className="inline-block">
            (<EmailText>{detail}</EmailText>)
          </span>
        </>
      )}
    </Fragment>
  ));
  if (hidden > 0) parts.push(<Fragment key="rest">{t(rest, { count: hidden })}</Fragment>);
  // The language's words between the names, with a placeholder for each name.
  const between = format.list(parts.map(() => "\0")).split("\0");
  return (
    <span suppressHydrationWarning>
      {parts.map((part, index) => [between[index], part])}
      {between.at(-1)}
    </span>
  );
}
