import type { ReactNode } from "react";
import { Form, href } from "react-router";
import { ProgressBar } from "../../ui/feedback/progress-bar.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { PanelLink, panelClass } from "../../ui/layout/panel.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { isolateLtr } from "../../ui/text/isolate.ts";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { PermittedLink } from "../access/use-can.tsx";
import { type CoreStep, FEATURE_STEPS, type SetUpList } from "./set-up-list.ts";

const SYSTEM = href("/manager/settings/system");

/** Where each step of the core is done. */
const PLACES: Record<CoreStep, string> = {
  domain: `${SYSTEM}#set-up`,
  mail: SYSTEM,
  brand: href("/manager/settings/brand"),
  signUp: href("/manager/settings/access"),
  admin: href("/manager/users/new"),
  backup: `${SYSTEM}#set-up`,
};

type SetUpListPanelProps = { list: SetUpList; now: Date };

/**
 * The steps of setting the site up, each with a tick or a link, until all are done or a manager
 * hides them.
 */
export function SetUpListPanel({ list, now }: SetUpListPanelProps) {
  const { t } = useTranslation("manager");
  const text = useText();
  const format = useFormat();
  const { done, ofFeatures, host, isMailLocal, backupAt } = list;
  const all = [...Object.values(done), ...Object.values(ofFeatures)];
  const count = all.filter(Boolean).length;
  const core = (step: CoreStep) => ({ isDone: done[step], to: PLACES[step] });
  return (
    <section aria-labelledby="set-up-list" className={`grid gap-4 ${panelClass}`}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="set-up-list" className="text-base font-semibold">
          {t("setUp.title")}
        </h2>
        <span className="text-sm text-muted" suppressHydrationWarning>
          {t("setUp.progress", { done: format.number(count), total: format.number(all.length) })}
        </span>
        <Form method="post" action={SYSTEM} className="ms-auto">
          <Button variant="quiet" isSmall name="intent" value="hide-set-up">
            {t("setUp.hide")}
          </Button>
        </Form>
        <ProgressBar label={t("setUp.title")} done={count} total={all.length} />
      </div>
      <ul className="grid gap-x-8 gap-y-4 text-sm md:grid-cols-2">
        <Step {...core("domain")} hint={t("setUp.domain.hint")}>
          {done.domain
            ? t("setUp.domain.done", { host: isolateLtr(host) })
            : t("setUp.domain.open")}
        </Step>
        <Step
          {...core("mail")}
          hint={t(isMailLocal ? "setUp.mail.local" : "setUp.mail.hint")}
          action={<TestMailButton />}
        >
          {t(done.mail ? "setUp.mail.done" : "setUp.mail.open")}
        </Step>
        <Step {...core("brand")} hint={t("setUp.brand.hint")}>
          {t(done.brand ? "setUp.brand.done" : "setUp.brand.open")}
        </Step>
        <Step {...core("signUp")} hint={t("setUp.signUp.hint")}>
          {t(done.signUp ? "setUp.signUp.done" : "setUp.signUp.open")}
        </Step>
        <Step {...core("admin")} hint={t("setUp.admin.hint")}>
          {t(done.admin ? "setUp.admin.done" : "setUp.admin.open")}
        </Step>
        <Step
          {...core("backup")}
          hint={t("setUp.backup.hint")}
          action={
            <code
              dir="ltr"
              translate="no"
              className="rounded-md bg-sunken px-2 py-1 font-mono text-xs"
            >
              npm run backup
            </code>
          }
        >
          {backupAt ? (
            <Formatted>{t("setUp.backup.done", { ago: format.ago(backupAt, now) })}</Formatted>
          ) : (
            t("setUp.backup.open")
          )}
        </Step>
        {Object.entries(FEATURE_STEPS).map(
          ([name, step]) =>
            step && (
              <Step
                key={name}
                isDone={ofFeatures[name] === true}
                to={step.to}
                hint={text(step.hint)}
              >
                {text(step.label)}
              </Step>
            ),
        )}
      </ul>
      <p className="text-sm">
        <PanelLink to={`${SYSTEM}#set-up`}>{t("setUp.more")}</PanelLink>
      </p>
    </section>
  );
}

type StepProps = {
  isDone: boolean;
  /** The screen where it is done. */
  to: string;
  /** Its purpose, while it is not done. */
  hint: string;
  /** A button that does it here. */
  action?: ReactNode;
  children: ReactNode;
};

function Step({ isDone, to, hint, action, children }: StepProps) {
  const { t } = useTranslation("manager");
  if (isDone) {
    return (
      <li className="flex items-start gap-3">
        <Icon name="circle-check" className="size-5 shrink-0 text-success" />
        <span className="text-muted">
          <span className="sr-only">{t("setUp.isDone")} </span>
          {children}
        </span>
      </li>
    );
  }
  return (
    <li className="flex items-start gap-3">
      <span
        aria-hidden="true"
        className="m-0.5 size-4 shrink-0 rounded-full border-2 border-line-strong"
      />
      <div className="grid min-w-0 justify-items-start gap-1">
        <PermittedLink
          permission={["settings", "update"]}
          to={to}
          className="font-medium text-accent-ink underline-offset-4 hover:underline"
        >
          {children}
        </PermittedLink>
        <p className="text-muted">{hint}</p>
        {action}
      </div>
    </li>
  );
}

/** Sends the manager a mail, which the system page then follows. */
export function TestMailButton() {
  const { t } = useTranslation("manager");
  return (
    <Form method="post" action={SYSTEM}>
      <Button variant="secondary" isSmall name="intent" value="test-mail">
        <Icon name="mail" className="size-4" />
        {t("setUp.mail.test")}
      </Button>
    </Form>
  );
}
