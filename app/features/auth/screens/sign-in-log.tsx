import { Form, href, Link } from "react-router";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { Panel, PanelLink } from "../../../ui/layout/panel.tsx";
import { EmailText } from "../../../ui/text/email-text.tsx";
import { Formatted } from "../../../ui/text/formatted.tsx";
import { IconDisc } from "../../../ui/text/icon-disc.tsx";
import type { IconName } from "../../../ui/text/icon-names.ts";
import { LoneTime } from "../../../ui/text/relative-time.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { useCan } from "../../access/use-can.tsx";
import type { AuditAction } from "../../audit/actions.ts";
import { STEP_DAYS, type Verdict } from "../codes/sign-in-steps.ts";
import type { StepKind, TimelineStep } from "../sign-in/timeline.ts";

type Found = {
  email: string;
  userId: string | null;
  name: string | null;
  verdict: Verdict;
  timeline: TimelineStep[];
};

/** The field for an e-mail, or for the id of a user or of a request. */
export function SignInSearch({ asked, isUnknown }: { asked: string; isUnknown: boolean }) {
  const { t } = useTranslation("logs");
  return (
    <Form method="get" className="grid max-w-xl gap-3">
      <TextField
        key={asked}
        name="email"
        label={t("signIn.search")}
        defaultValue={asked}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        dir="ltr"
        maxLength={254}
        errors={isUnknown ? ["logs:signIn.unknown"] : undefined}
      />
      <div>
        <Button>{t("signIn.show")}</Button>
      </div>
    </Form>
  );
}

/** What happened at the sign-in of one e-mail, the newest first, and what would happen now. */
export function SignInTimeline({ found, now }: { found: Found; now: Date }) {
  const { t } = useTranslation("logs");
  const can = useCan();
  const { email, userId, name, verdict, timeline } = found;
  return (
    <>
      <Notice kind={verdict === "sent" ? "info" : "warning"} isState>
        {t(`signIn.verdict.${verdict}`)}
      </Notice>
      <Panel
        title={email}
        intro={userId ? name || undefined : t("signIn.noAccount")}
        action={
          userId && can("user", "get") ? (
            <PanelLink to={href("/manager/users/:id", { id: userId })}>
              {t("audit.open", { name: name || email })}
            </PanelLink>
          ) : undefined
        }
      >
        {timeline.length === 0 ? (
          <p className="text-sm text-muted">{t("signIn.nothing", { count: STEP_DAYS })}</p>
        ) : (
          <ol className="divide-y divide-line text-sm">
            {timeline.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be equal, and none moves
              <Step key={index} step={step} now={now} />
            ))}
          </ol>
        )}
        <p className="text-xs text-muted">{t("signIn.kept", { count: STEP_DAYS })}</p>
      </Panel>
    </>
  );
}

function Step({ step, now }: { step: TimelineStep; now: Date }) {
  const { t } = useTranslation("logs");
  const format = useFormat();
  const textOf = useStepText();
  const { kind, at, count, firstAt, until, reason, origin, requestId } = step;
  const device = origin?.device && t("audit.device", origin.device);
  const place = origin?.place && format.place(origin.place);
  const from = [device, place, origin?.ipAddress].filter(Boolean).join(" · ");
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3 first:pt-0 last:pb-0">
      <IconDisc name={iconOf(kind)} />
      <div className="grid min-w-0 grow basis-48 gap-1">
        <span className="font-medium text-pretty">{textOf(kind)}</span>
        <span className="flex flex-wrap gap-x-3 text-xs wrap-anywhere text-muted">
          {until && <Formatted>{t("signIn.until", { time: format.moment(until) })}</Formatted>}
          {count > 1 && (
            <Formatted>{t("signIn.times", { count, time: format.moment(firstAt) })}</Formatted>
          )}
          {reason && <bdi>{reason}</bdi>}
          {from && <Formatted>{from}</Formatted>}
          {requestId && (
            <span>
              {t("signIn.request")} <bdi className="font-mono">{requestId}</bdi>
            </span>
          )}
        </span>
      </div>
      <LoneTime date={at} now={now} className="shrink-0 text-end sm:min-w-24" />
    </li>
  );
}

/** Returns a function that says what a step was. Events of the activity have their names there. */
function useStepText(): (kind: StepKind) => string {
  const { t } = useTranslation("logs");
  const { t: eventName } = useTranslation("events");
  return (kind) =>
    kind.startsWith("event.")
      ? eventName(kind.slice("event.".length) as AuditAction)
      : t(`signIn.steps.${kind as "asked"}`);
}

const ICONS: readonly (readonly [begin: string, icon: IconName])[] = [
  ["asked", "key-round"],
  ["mail.returned", "triangle-alert"],
  ["mail.failed", "triangle-alert"],
  ["mail", "mail"],
  ["refused", "ban"],
  ["denied", "ban"],
  ["limited", "clock"],
  ["dead", "clock"],
  ["entered", "circle-check"],
  ["event.user.signed_in", "log-in"],
  ["event", "circle-user"],
];

function iconOf(kind: StepKind): IconName {
  return ICONS.find(([begin]) => kind.startsWith(begin))?.[1] ?? "triangle-alert";
}

type TroubledUser = { id: string; name: string; email: string; count: number; lastAt: Date };

/** The users whose sign-in had trouble in the last day. */
export function TroubledUsers({ rows, now }: { rows: TroubledUser[]; now: Date }) {
  const { t } = useTranslation("logs");
  return (
    <Panel title={t("signIn.troubled")} intro={t("signIn.troubledIntro")}>
      {rows.length === 0 ? (
        <p className="text-sm text-muted">{t("signIn.noTrouble")}</p>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {rows.map(({ id, name, email, count, lastAt }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 py-2">
              <Link
                to={`${href("/manager/mail/sign-in")}?${new URLSearchParams({ email })}`}
                className="grid min-h-11 min-w-0 grow content-center underline-offset-4 hover:underline"
              >
                <bdi className="truncate font-medium">{name || email}</bdi>
                {name && <EmailText className="text-xs text-muted">{email}</EmailText>}
              </Link>
              <span className="text-muted">{t("signIn.count", { count })}</span>
              <LoneTime date={lastAt} now={now} className="shrink-0 text-end sm:min-w-24" />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
