import { useEffect, useRef } from "react";
import { Form, Link, useLocation } from "react-router";
import { Button, buttonClass } from "../../ui/forms/button.tsx";
import { EmailText } from "../../ui/text/email-text.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { Labelled } from "../../ui/text/labelled.tsx";
import { Message, type MessageReference, messageReference } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import type { BulkItem, BulkReport, BulkWords } from "./bulk-report.ts";
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
  const isWhole = done.length === items.length && !error;

  // Outside React: the focus, because the button that had it is gone and a screen reader must read the result next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each outcome
  useEffect(() => notice.current?.focus(), [outcome]);

  return (
    <section
      ref={notice}
      tabIndex={-1}
      role="status"
      className={`bulk-notice ${isWhole ? "border-success-line bg-success-fill" : "border-warning-line bg-warning-fill"}`}
    >
      <Icon
        name={isWhole ? "circle-check" : "triangle-alert"}
        className={`bulk-notice-line h-[1lh] w-4 ${isWhole ? "text-success" : "text-warning"}`}
      />
      <Outcome report={report} error={error} />
      {report?.undo && done.length > 0 && (
        <Form method="post" onSubmit={start} className="bulk-notice-undo">
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
        className={buttonClass("quiet", "bulk-notice-close", true)}
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

type OutcomeProps = { report: BulkReport | undefined; error: MessageReference | undefined };

/** The changed rows, and by reason the refused ones. */
function Outcome({ report, error }: OutcomeProps) {
  const items = report?.items ?? [];
  const done = items.filter(({ refusal }) => !refusal);
  const refused = items.filter(({ refusal }) => refusal);
  const reasons = [...new Set(refused.map(({ refusal }) => refusal ?? ""))];
  const repeated = repeatedNames(items);
  return (
    <div className="bulk-notice-line grid min-w-0 gap-4">
      {report && done.length > 0 && (
        <div>
          <p className="font-semibold">
            <Message value={messageReference(report.done, { count: done.length })} />
          </p>
          <p className="wrap-anywhere">
            <Names items={done} words={report.words} repeated={repeated} />
          </p>
        </div>
      )}
      {report && refused.length > 0 && (
        <div>
          <p className="font-semibold">
            <Message value={messageReference(report.words.refused, { count: refused.length })} />
          </p>
          {reasons.map((reason) => (
            <p key={reason} className="font-medium wrap-anywhere">
              <Labelled label={<Message value={reason} />}>
                <Names
                  items={refused.filter(({ refusal }) => refusal === reason)}
                  words={report.words}
                  repeated={repeated}
                />
              </Labelled>
            </p>
          ))}
        </div>
      )}
      {error && (
        <p>
          <Message value={error} />
        </p>
      )}
    </div>
  );
}

/** Returns the names that several rows share. */
function repeatedNames(items: BulkItem[]): Set<string> {
  const names = items.map(({ name }) => name);
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}

type NamesProps = {
  items: BulkItem[];
  words: BulkWords;
  /** Names that need a detail to tell them apart. */
  repeated: Set<string>;
};

/** The first names and how many follow, as a list in words; one a line where names need a detail. */
function Names({ items, words, repeated }: NamesProps) {
  const format = useFormat();
  const shown = items.filter(({ name }) => name).slice(0, MAX_NAMES);
  const hidden = items.length - shown.length;
  const entries = shown.map((item) => <Name key={item.id} item={item} repeated={repeated} />);
  if (hidden > 0) {
    const rest = shown.length > 0 ? words.more : words.unnamed;
    entries.push(<Message key="rest" value={messageReference(rest, { count: hidden })} />);
  }
  if (shown.some(({ name, detail }) => detail && repeated.has(name))) {
    return (
      <span className="mt-1 grid gap-1 font-normal text-muted">
        {entries.map((entry) => (
          <span key={entry.key}>{entry}</span>
        ))}
      </span>
    );
  }
  const texts = entries.map((_, index) => shown[index]?.name ?? "");
  return (
    <span className="font-normal text-muted">
      {format.listParts(texts).map((part) => (typeof part === "number" ? entries[part] : part))}
    </span>
  );
}

function Name({ item, repeated }: { item: BulkItem } & Pick<NamesProps, "repeated">) {
  const { name, detail } = item;
  return (
    <>
      <bdi className="inline-block max-w-full text-ink">{name}</bdi>
      {detail && repeated.has(name) && (
        <>
          {" "}
          <EmailText className="inline-block">{detail}</EmailText>
        </>
      )}
    </>
  );
}
