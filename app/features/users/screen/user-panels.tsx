import type { ReactNode } from "react";
import { Form, href, Link } from "react-router";
import "../../../lists/filters/filters.css";
import { Button } from "../../../ui/forms/button.tsx";
import { IntentButton } from "../../../ui/forms/intent-button.tsx";
import { Panel, PanelLink } from "../../../ui/layout/panel.tsx";
import { PartLinks } from "../../../ui/layout/part-links.tsx";
import { IconDisc } from "../../../ui/text/icon-disc.tsx";
import { SessionFacts } from "../../../ui/text/session-facts.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { type Device, deviceIcon } from "../../../values/device-icon.ts";
import { useCan } from "../../access/use-can.tsx";
import type { EventSide, UserTab } from "./user-tabs.ts";

export function UserTabs({
  current,
  tabs,
}: {
  current: UserTab | undefined;
  tabs: readonly UserTab[];
}) {
  const { t } = useTranslation("users");
  return (
    <PartLinks
      isOneScreen
      label={t("detail.tabs")}
      parts={tabs.map((tab) => ({
        to: tab === tabs[0] ? "." : `?tab=${tab}`,
        label: t(`detail.${tab}`),
        isCurrent: tab === current,
      }))}
    />
  );
}

const SIDES = ["about", "by"] as const;

/** Switch between the events about the user and those by the user. */
export function EventSides({ current }: { current: EventSide }) {
  const { t } = useTranslation("users");
  return (
    <nav aria-label={t("history.sides")} className="flex gap-1.5 text-sm">
      {SIDES.map((side) => (
        <Link
          key={side}
          to={side === "by" ? "?tab=activity&side=by" : "?tab=activity"}
          preventScrollReset
          aria-current={side === current ? "page" : undefined}
          className="filter-pill"
        >
          {t(`history.sideNames.${side}`)}
        </Link>
      ))}
    </nav>
  );
}

export type UserSession = {
  id: string;
  device: Device | undefined;
  place: string | null;
  ipAddress: string | null;
  /** True when a manager uses this session to impersonate the user. */
  isImpersonated: boolean;
  createdAt: Date;
  lastSeenAt: Date | null;
};

/** The user's sessions, and buttons that revoke them. */
export function SessionsPanel({ sessions, now }: { sessions: UserSession[]; now: Date }) {
  const { t } = useTranslation("users");
  const can = useCan();
  return (
    <Panel
      title={t("detail.sessions")}
      action={
        can("session", "delete") &&
        sessions.length > 1 && (
          <IntentButton intent="revoke-all">{t("detail.revokeAll")}</IntentButton>
        )
      }
    >
      {sessions.length === 0 ? (
        <Empty>{t("detail.noSessions")}</Empty>
      ) : (
        <ul className="-my-2 divide-y divide-line text-sm">
          {sessions.map((session) => (
            <li key={session.id} className="flex items-center gap-3 py-2">
              <IconDisc name={deviceIcon(session.device)} />
              <div className="grid min-w-0 grow gap-1">
                <span>
                  {session.device ? t("detail.device", session.device) : t("detail.unknownDevice")}
                  {session.isImpersonated && ` · ${t("impersonate.session")}`}
                </span>
                <SessionFacts session={session} now={now} />
              </div>
              {can("session", "revoke") && (
                <Form method="post" className="shrink-0">
                  <input type="hidden" name="intent" value="revoke" />
                  <Button variant="secondary" isSmall name="session" value={session.id}>
                    {t("detail.revoke")}
                  </Button>
                </Form>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

type EmailsPanelProps = {
  email: string;
  /** The newest mails to the user; undefined when there are none. */
  children: ReactNode;
};

/** The mails that were sent to the user. */
export function EmailsPanel({ email, children }: EmailsPanelProps) {
  const { t } = useTranslation("users");
  const { t: logs } = useTranslation("logs");
  const search = new URLSearchParams({ searchTerm: email });
  return (
    <Panel
      title={t("detail.emails")}
      action={
        <span className="flex flex-wrap gap-x-4 max-sm:gap-y-6">
          <PanelLink to={`${href("/manager/mail/sign-in")}?${new URLSearchParams({ email })}`}>
            {logs("signIn.link")}
          </PanelLink>
          <PanelLink to={`${href("/manager/mail")}?${search}`}>{t("detail.allEmails")}</PanelLink>
        </span>
      }
    >
      {children || <Empty>{t("detail.noEmails")}</Empty>}
    </Panel>
  );
}

function Empty({ children }: { children: ReactNode }) {
  return <p className="text-sm text-muted">{children}</p>;
}
