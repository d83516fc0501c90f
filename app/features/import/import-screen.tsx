import { type ReactNode, useEffect, useRef } from "react";
import { Form, href, Link, useNavigation } from "react-router";
import { ListBreadcrumb } from "../../lists/table/list-breadcrumb.tsx";
import { useRefresh } from "../../server-functions/use-refresh.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { ProgressBar } from "../../ui/feedback/progress-bar.tsx";
import { Button, ButtonLink, buttonClass } from "../../ui/forms/button.tsx";
import { CheckField } from "../../ui/forms/check-field.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { ProofFirst } from "../../ui/forms/proof.tsx";
import { Panel, panelClass } from "../../ui/layout/panel.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { ScrollRegion } from "../../ui/layout/scroll-region.tsx";
import { SingleColumn } from "../../ui/layout/single-column.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { EmailText } from "../../ui/text/email-text.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { Message } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { MAIL_PROVIDER, type Plan } from "../../values/platform-limits.ts";
import type { OpenImport } from "./import-page.server.ts";
import { IMPORT_FIELDS, INVITATION_DAYS, MAX_LINES } from "./limits.ts";

type ImportScreenProps = {
  open: OpenImport | undefined;
  hasProvider: boolean;
  plan: Plan;
  /** The form that was refused. */
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
};

const tableClass =
  "w-full text-sm [&_td]:py-2 [&_td]:pe-4 [&_th]:py-2 [&_th]:pe-4 [&_th]:text-start [&_th]:font-medium [&_th]:whitespace-nowrap [&_th]:text-muted";

const WITHOUT_SCRIPTS = "[@media(scripting:enabled)]:hidden";

/** A file to fill in, with the names of the columns and one person. */
const TEMPLATE = `data:text/csv;charset=utf-8,${encodeURIComponent(
  "email,name,role,language\nlea@example.com,Lea Martin,user,fr\n",
)}`;

/** An import from its file to its outcome: the form, the check, the progress. */
export function ImportScreen({ open, hasProvider, plan, result }: ImportScreenProps) {
  const { t } = useTranslation("import");
  const users = useTranslation("users").t;
  const error = result?.errors[""]?.[0];
  return (
    <SingleColumn>
      <ScreenHeader
        title={t("title")}
        breadcrumb={<ListBreadcrumb to={href("/manager/users")} title={users("title")} />}
      />
      <FormErrors errors={error ? [error] : undefined} />
      <ImportState open={open}>
        {open ? (
          <>
            {open.state === "checked" ? (
              <PreviewPanel open={open} hasProvider={hasProvider} />
            ) : open.state === "finished" ? (
              <OutcomePanel open={open} />
            ) : (
              <ProgressPanel open={open} />
            )}
            {open.wrong > 0 && <WrongLines open={open} />}
          </>
        ) : (
          <UploadForm plan={plan} typed={result?.values.text} />
        )}
      </ImportState>
    </SingleColumn>
  );
}

/** Title of each part of an import. */
const TITLES = {
  checked: "preview",
  running: "running",
  stopped: "stopped",
  finished: "finished",
} as const;

type ImportStateProps = { open: OpenImport | undefined; children: ReactNode };

function ImportState({ open, children }: ImportStateProps) {
  const { t } = useTranslation("import");
  const box = useRef<HTMLDivElement>(null);
  const title = t(open ? TITLES[open.state] : "title");
  const shown = useRef(title);

  // Outside React: the focus. The button that had it is gone, so the next part's title takes it and is read out.
  useEffect(() => {
    if (shown.current === title) return;
    shown.current = title;
    box.current?.focus();
  }, [title]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: no form's fields
    <div
      ref={box}
      tabIndex={-1}
      role="group"
      aria-label={title}
      className="grid gap-6 outline-none"
    >
      {children}
    </div>
  );
}

type UploadFormProps = { plan: Plan; typed: string | undefined };

/** The file, or pasted rows. */
function UploadForm({ plan, typed }: UploadFormProps) {
  const { t } = useTranslation("import");
  const format = useFormat();
  const isBusy = useNavigation().formMethod === "POST";
  const maximum = format.number(MAX_LINES[plan]);
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      noValidate
      className={`grid gap-6 ${panelClass}`}
    >
      {plan === "free" && (
        <Notice kind="info">
          <Formatted>{t("freePlan", { maximum })}</Formatted>
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
        <p>{t("columns")}</p>
        <a href={TEMPLATE} download="users.csv" className={buttonClass("secondary", "", true)}>
          <Icon name="download" className="size-4" />
          {t("template")}
        </a>
      </div>
      <Field
        name="file"
        label={t("file")}
        errors={undefined}
        hint={<Formatted>{t("fileHint", { maximum })}</Formatted>}
      >
        {(control) => (
          <input
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
            className="input py-2 file:me-3 file:rounded-sm file:border-0 file:bg-sunken file:px-3 file:py-1 file:text-sm"
            {...control}
          />
        )}
      </Field>
      <Field name="text" label={t("text")} hint={t("textHint")} errors={undefined}>
        {(control) => (
          <textarea
            rows={6}
            dir="ltr"
            spellCheck={false}
            autoComplete="off"
            defaultValue={typed}
            className="input font-mono text-xs"
            {...control}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button name="intent" value="upload" isBusy={isBusy}>
          {t("check")}
        </Button>
        <p className="text-sm text-muted">{t("checkHint")}</p>
      </div>
    </Form>
  );
}

type PreviewPanelProps = { open: OpenImport; hasProvider: boolean };

function PreviewPanel({ open, hasProvider }: PreviewPanelProps) {
  const { t } = useTranslation("import");
  const format = useFormat();
  const isBusy = useNavigation().formData?.get("intent") === "import";
  const count = open.left;
  return (
    <Panel title={t("preview")}>
      <Figures
        figures={[
          [t("new"), count],
          [t("known"), open.known],
          [t("wrong"), open.wrong],
        ]}
      />
      <ColumnNotes columns={open.columns} />
      <NewLines open={open} />
      <Managers open={open} />
      {!open.isOwn && <Notice kind="warning">{t("otherSession")}</Notice>}
      {!open.isOwn ? null : count === 0 ? (
        <p className="text-sm">{t("nothing")}</p>
      ) : (
        <Form id="import" method="post" encType="multipart/form-data" className="grid gap-4">
          <input type="hidden" name="import" value={open.id} />
          <CheckField
            name="invites"
            label={t("invites.label")}
            hint={<InvitationHint count={count} open={open} hasProvider={hasProvider} />}
          />
          <ProofFirst />
        </Form>
      )}
      <div className="flex flex-wrap items-center gap-3">
        {open.isOwn && count > 0 && (
          <Button form="import" name="intent" value="import" isBusy={isBusy}>
            <Formatted>{t("start", { count, formatted: format.number(count) })}</Formatted>
          </Button>
        )}
        <ImportButton open={open} intent="close-import">
          {t("other")}
        </ImportButton>
      </div>
    </Panel>
  );
}

/**
 * Everybody who gets a manager's role, by e-mail, and how many people get none: what is imported is seen before it is.
 */
function Managers({ open: { managers, left } }: { open: OpenImport }) {
  const { t } = useTranslation("import");
  const users = useTranslation("users").t;
  const format = useFormat();
  if (managers.length === 0) return null;
  const others = left - managers.length;
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-semibold">
        <Formatted>{t("managers", { number: format.number(managers.length) })}</Formatted>
      </h3>
      <ul className="grid max-h-80 gap-1 overflow-y-auto text-sm">
        {managers.map(({ email, roles }) => (
          <li key={email} className="flex flex-wrap gap-x-4">
            <EmailText>{email}</EmailText>
            <span className="text-muted">
              {format.list(roles.map((role) => users(`roles.${role}`)))}
            </span>
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p className="text-sm text-muted">
          <Formatted>{t("ordinary", { number: format.number(others) })}</Formatted>
        </p>
      )}
    </div>
  );
}

/** The first new users, so that columns in another order are noticed before the import. */
function NewLines({ open: { newLines } }: { open: OpenImport }) {
  const { t } = useTranslation("import");
  if (newLines.length === 0) return null;
  return (
    <ScrollRegion label={t("newTitle")}>
      <table className={tableClass}>
        <caption className="pb-2 text-start font-semibold">{t("newTitle")}</caption>
        <thead>
          <tr className="border-b border-line">
            <th scope="col">{t("line")}</th>
            {IMPORT_FIELDS.map((field) => (
              <th key={field} scope="col">
                {t(`fields.${field}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {newLines.map(({ line, values }) => (
            <tr key={line} className="border-b border-line last:border-0">
              <td className="tabular-nums">{line}</td>
              {values.map((value, index) => (
                <td key={IMPORT_FIELDS[index]} className="max-w-60 wrap-anywhere">
                  <bdi>{value}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Which columns were read, so that a name that was not understood is noticed before the import. */
function ColumnNotes({ columns }: Pick<OpenImport, "columns">) {
  const { t } = useTranslation("import");
  const format = useFormat();
  if (!columns) return <p className="text-sm text-muted">{t("noHeader")}</p>;
  const fields = columns.fields.map((field) => t(`fields.${field}`));
  return (
    <div className="grid gap-1 text-sm text-muted">
      <p>
        <Formatted>{t("columnsRead", { columns: format.list(fields) })}</Formatted>
      </p>
      {columns.others.length > 0 && (
        <p>
          <Formatted>
            {t("columnsLeft", { columns: format.list(columns.others.map(isolate)) })}
          </Formatted>
        </p>
      )}
    </div>
  );
}

function InvitationHint({ count, open, hasProvider }: PreviewPanelProps & { count: number }) {
  const { t } = useTranslation("import");
  const format = useFormat();
  const { requestsASecond, freeMailsADay } = MAIL_PROVIDER;
  const days = Math.ceil(count / freeMailsADay);
  const sentences = hasProvider
    ? [
        t("invites.pace", {
          rate: format.number(requestsASecond),
          time: format.quantity(Math.ceil(count / requestsASecond / 60), "minute"),
        }),
        days > 1 &&
          t("invites.freePlan", {
            number: format.number(freeMailsADay),
            time: format.quantity(days, "day"),
          }),
        days > INVITATION_DAYS &&
          t("invites.dropped", { time: format.quantity(INVITATION_DAYS, "day") }),
        open.pausedUntil && t("invites.paused", { date: format.moment(open.pausedUntil) }),
      ]
    : [];
  return <Formatted>{[t("invites.without"), ...sentences].filter(Boolean).join(" ")}</Formatted>;
}

/**
 * Progress of an import. It follows while the import runs; without JavaScript a link loads it
 * again.
 */
function ProgressPanel({ open }: { open: OpenImport }) {
  const { t } = useTranslation("import");
  const format = useFormat();
  const isRunning = open.state === "running";
  useRefresh(isRunning);

  const done = open.lines - open.left;
  const title = t(isRunning ? "running" : "stopped");
  return (
    <Panel title={title}>
      <div className="grid gap-2">
        <ProgressBar label={title} done={done} total={open.lines} />
        {/* A screen reader reads it out. */}
        <p role="status" className="text-sm text-muted tabular-nums">
          <Formatted>
            {t("progress", { done: format.number(done), total: format.number(open.lines) })}
          </Formatted>
        </p>
      </div>
      <Figures
        figures={[
          [t("created"), open.created],
          [t("known"), open.known],
          [t("wrong"), open.wrong],
          [t("left"), open.left],
        ]}
      />
      <p className="text-sm">{t(isRunning ? "runningHint" : "stoppedHint")}</p>
      {isRunning && (
        <Link
          to={href("/manager/users/import")}
          reloadDocument
          className={`link text-sm ${WITHOUT_SCRIPTS}`}
        >
          {t("askAgain")}
        </Link>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <ImportButton
          open={open}
          intent={isRunning ? "stop-import" : "continue-import"}
          variant={isRunning ? "secondary" : "primary"}
        >
          {t(isRunning ? "stop" : "goOn")}
        </ImportButton>
        {!isRunning && <EndImport open={open} />}
      </div>
    </Panel>
  );
}

function OutcomePanel({ open }: { open: OpenImport }) {
  const { t } = useTranslation("import");
  const justImported = useJustImported(open);
  return (
    <Panel title={t("finished")}>
      <div role="status">
        <Figures
          figures={[
            [t("created"), open.created],
            [t("known"), open.known],
            [t("wrong"), open.wrong],
          ]}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={`${href("/manager/users")}?${justImported}`}>{t("toUsers")}</ButtonLink>
        <ImportButton open={open} intent="close-import">
          {t("again")}
        </ImportButton>
      </div>
    </Panel>
  );
}

/** Returns the search that finds an import's users in the list: added or invited since its day. */
function useJustImported({ invites, createdAt }: OpenImport): URLSearchParams {
  const format = useFormat();
  return new URLSearchParams({
    status: invites ? "invited" : "added",
    from: format.dayKey(createdAt),
    sort: "created",
  });
}

function EndImport({ open }: { open: OpenImport }) {
  const { t } = useTranslation("import");
  return (
    <ConfirmDrawer
      intent="close-import"
      triggerVariant="quiet"
      text={t("endText")}
      confirm={t("end")}
      trigger={t("end")}
    >
      <input type="hidden" name="import" value={open.id} />
    </ConfirmDrawer>
  );
}

type ImportButtonProps = {
  open: OpenImport;
  intent: "stop-import" | "continue-import" | "close-import";
  variant?: "primary" | "secondary";
  children: ReactNode;
};

/** A button for what may be done to an import; closing puts its lines away. */
function ImportButton({ open, intent, variant = "secondary", children }: ImportButtonProps) {
  const isBusy = useNavigation().formData?.get("intent") === intent;
  return (
    <Form method="post" encType="multipart/form-data">
      <input type="hidden" name="import" value={open.id} />
      <Button variant={variant} name="intent" value={intent} isBusy={isBusy}>
        {children}
      </Button>
    </Form>
  );
}

function Figures({ figures }: { figures: [term: string, value: number][] }) {
  const format = useFormat();
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      {figures.map(([term, value]) => (
        <div key={term} className="grid gap-1">
          <dt className="text-sm text-muted">{term}</dt>
          <dd className="text-xl font-semibold tabular-nums">
            <Formatted>{format.number(value)}</Formatted>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The first lines that make no user, and the file of all of them. */
function WrongLines({ open }: { open: OpenImport }) {
  const { t } = useTranslation("import");
  const common = useTranslation().t;
  const format = useFormat();
  const { wrongLines, wrong } = open;
  return (
    <Panel
      title={t("wrongTitle")}
      intro={t("wrongText")}
      action={
        <a
          href={href("/manager/users/import/wrong-lines")}
          className={buttonClass("secondary", "", true)}
        >
          <Icon name="download" className="size-4" />
          {t("download")}
        </a>
      }
    >
      <ScrollRegion label={t("wrongTitle")}>
        <table className={tableClass}>
          <thead>
            <tr className="border-b border-line">
              <th scope="col">{t("line")}</th>
              <th scope="col">{t("column")}</th>
              <th scope="col">{t("value")}</th>
              <th scope="col">{t("reasonField")}</th>
            </tr>
          </thead>
          <tbody>
            {wrongLines.map(({ line, field, value, reason }) => (
              <tr key={line} className="border-b border-line last:border-0">
                <td className="tabular-nums">{line}</td>
                <td>{t(`fields.${field}`)}</td>
                <td className="max-w-60 wrap-anywhere">
                  {value ? <bdi>{value}</bdi> : <span className="text-muted">{t("empty")}</span>}
                </td>
                <td>
                  <Message value={reason} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {wrong > wrongLines.length && (
        <p className="text-sm text-muted">
          <Formatted>
            {common("list.showing", {
              shown: format.number(wrongLines.length),
              total: format.number(wrong),
            })}
          </Formatted>
        </p>
      )}
      <p className="text-sm text-muted">{t("kept")}</p>
    </Panel>
  );
}
