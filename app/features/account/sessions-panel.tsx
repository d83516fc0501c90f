import { Form, useNavigation } from "react-router";
import { Button } from "../../ui/forms/button.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { Badge } from "../../ui/text/badge.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { SessionFacts } from "../../ui/text/session-facts.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { type Device, deviceIcon } from "../../values/device-icon.ts";

export type OwnSession = {
  id: string;
  device: Device | undefined;
  place: string | null;
  createdAt: Date;
  lastSeenAt: Date | null;
  isThisOne: boolean;
};

type SessionsPanelProps = {
  sessions: OwnSession[];
  /** How many there are; the newest are shown. */
  count: number;
  now: Date;
};

/** The user's sessions, the current one first and marked. One, all others, or all can be ended. */
export function SessionsPanel({ sessions, count, now }: SessionsPanelProps) {
  const { t } = useTranslation("account");
  const ending = useNavigation().formData?.get("session");
  const others = count - 1;
  return (
    <Panel title={t("sessions.title")} intro={t("sessions.intro", { count })}>
      <ul className="grid divide-y divide-line">
        {sessions.map((session) => (
          // On a phone the button goes below the facts, so that each of them stays on one line.
          <li
            key={session.id}
            className="flex flex-wrap items-center gap-3 py-3 text-sm first:pt-0"
          >
            <Icon name={deviceIcon(session.device)} className="size-5 shrink-0 text-muted" />
            <div className="grid min-w-0 flex-1 gap-1">
              <span className="flex flex-wrap items-center gap-2 font-medium">
                {session.device ? t("sessions.device", session.device) : t("sessions.unknown")}
                {session.isThisOne && (
                  <Badge tone="border-accent-line bg-accent-fill">{t("sessions.thisOne")}</Badge>
                )}
              </span>
              <SessionFacts session={session} isThisOne={session.isThisOne} now={now} />
            </div>
            {!session.isThisOne && (
              <Form method="post" preventScrollReset className="max-sm:w-full max-sm:ps-8">
                <input type="hidden" name="intent" value="revoke" />
                <Button
                  variant="secondary"
                  isSmall
                  name="session"
                  value={session.id}
                  isBusy={ending === session.id}
                >
                  {t("sessions.end")}
                </Button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3 max-sm:grid">
        {others > 0 && (
          <ConfirmDrawer
            intent="revoke-others"
            text={t("sessions.endOthersText", { count: others })}
            trigger={t("sessions.endOthers")}
          />
        )}
        <ConfirmDrawer
          intent="revoke-all"
          text={t("sessions.endAllText")}
          trigger={t("sessions.endAll")}
        />
      </div>
    </Panel>
  );
}
