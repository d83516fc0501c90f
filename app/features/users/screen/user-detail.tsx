import type { ReactNode } from "react";
import { href } from "react-router";
import { ListBreadcrumb } from "../../../lists/table/list-breadcrumb.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { IntentButton } from "../../../ui/forms/intent-button.tsx";
import type { RefusedForm } from "../../../ui/forms/refused-form.ts";
import { ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { Formatted } from "../../../ui/text/formatted.tsx";
import { Icon } from "../../../ui/text/icon.tsx";
import { Labelled } from "../../../ui/text/labelled.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { useCan } from "../../access/use-can.tsx";
import type { NewestEvent } from "../../audit/audit-event.ts";
import { EventsPanel } from "../../audit/events-panel.tsx";
import { type ManagerAct, ManagerActLine } from "../../audit/manager-act.tsx";
import { RefusalNotice, refusesMail } from "./mailbox-refusal.tsx";
import { bareOnPhoneClass, ImpersonateControl, UserMenu } from "./user-controls.tsx";
import { UserFacts, type UserFactsProps } from "./user-detail-facts.tsx";
import {
  EmailsPanel,
  EventSides,
  SessionsPanel,
  type UserSession,
  UserTabs,
} from "./user-panels.tsx";
import {
  InvitationNotice,
  PasskeyReleaseNotice,
  SignInMethodsNotice,
} from "./user-sign-in-methods.tsx";
import type { EventSide, UserTab } from "./user-tabs.ts";

type UserDetailProps = UserFactsProps & {
  /** Undefined when the manager may see none. */
  tab: UserTab | undefined;
  tabs: readonly UserTab[];
  side: EventSide;
  /** True when the e-mail is in `ADMIN_EMAILS`. */
  isListed: boolean;
  sessions: UserSession[];
  events: NewestEvent[];
  /** Undefined without an event of a present ban, or when the manager may not see it. */
  ban?: ManagerAct;
  /** There when a passkey is required of the user, who has none and whose time to add one is over. */
  release?: { until: Date | null };
  /** Values and errors of a refused form of this screen. */
  result: RefusedForm;
  /** What features show of the user, below the sessions. */
  panels: ReactNode;
  /** What features show of the user, below the facts. */
  aside: ReactNode;
  /** The mails to the user; undefined when there are none. */
  children: ReactNode;
};

/** Shows a user and the actions that a manager may take. */
export function UserDetail(props: UserDetailProps) {
  const { user, methods, refusal, tab } = props;
  const { t } = useTranslation("users");
  const format = useFormat();
  const { name, email, status, deletionDueAt } = user;
  return (
    <div className="grid grid-cols-1 gap-6">
      <DetailHeader {...props} />

      {status === "banned" && <BanNotice {...props} />}

      <ListedNotice {...props} />

      {deletionDueAt && (
        <Notice kind="warning">
          <Formatted>{t("detail.deletionOn", { date: format.moment(deletionDueAt) })}</Formatted>
        </Notice>
      )}

      {methods?.question && (
        <SignInMethodsNotice
          title={name || email}
          email={email}
          methods={methods}
          question={methods.question}
          now={props.now}
        />
      )}

      {props.release && !props.isSelf && (
        <PasskeyReleaseNotice title={name || email} until={props.release.until} />
      )}

      {refusal && <RefusalNotice refusal={refusal} />}

      {!user.lastSeenAt && status !== "banned" && !refusesMail(refusal) && (
        <InvitationNotice invitation={user.invitation} />
      )}

      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <div className="grid min-w-0 gap-4">
          <UserFacts {...props} />
          {props.aside}
        </div>
        <div className="grid min-w-0 gap-4">
          <UserTabs current={tab} tabs={props.tabs} />
          <TabPanel {...props} />
        </div>
      </div>
    </div>
  );
}

function TabPanel(props: UserDetailProps) {
  const { tab, side, user, sessions, events, panels, now, children } = props;
  const { t } = useTranslation("users");
  const { id } = user;
  switch (tab) {
    case "activity":
      return (
        <EventsPanel
          id={id}
          events={events}
          side={side === "by" ? "actor" : "target"}
          title={t(`history.${side}`)}
          emptyText={t(side === "by" ? "detail.noActions" : "detail.noActivity")}
        >
          <EventSides current={side} />
        </EventsPanel>
      );
    case "sessions":
      return (
        <>
          <SessionsPanel sessions={sessions} now={now} />
          {panels}
        </>
      );
    case "emails":
      return <EmailsPanel email={user.email}>{children}</EmailsPanel>;
    case undefined:
      return null;
  }
}

function DetailHeader({ user, isSelf, isListed, result, now }: UserDetailProps) {
  const { t } = useTranslation("users");
  const common = useTranslation().t;
  const can = useCan();
  const { id, name, email, roles, status } = user;
  const mayImpersonate =
    can("user", "impersonate") && !isSelf && !roles.includes("admin") && status !== "banned";
  const title = name || email;
  return (
    <ScreenHeader
      title={<bdi>{title}</bdi>}
      breadcrumb={<ListBreadcrumb to={href("/manager/users")} title={t("title")} />}
    >
      {can("user", "update") && (
        <ButtonLink
          variant="secondary"
          isSmall
          to={href("/manager/users/:id/update", { id })}
          className={mayImpersonate ? bareOnPhoneClass : ""}
        >
          <Icon name="pencil" className="size-4" />
          {common("actions.edit")}
        </ButtonLink>
      )}
      {mayImpersonate && <ImpersonateControl title={title} result={result} />}
      {!isSelf && !isListed && (
        <UserMenu title={title} isBanned={status === "banned"} result={result} now={now} />
      )}
    </ScreenHeader>
  );
}

/** Says why a user of `ADMIN_EMAILS` has no menu: other admins can neither ban nor delete them. */
function ListedNotice({ isSelf, isListed }: UserDetailProps) {
  const { t } = useTranslation("users");
  const can = useCan();
  const mayAct = can("user", "ban") || can("user", "delete");
  if (!isListed || isSelf || !mayAct) return null;
  return <Notice kind="info">{t("refusal.listed_admin")}</Notice>;
}

/** Says until when the user is banned, why, which manager did it and when, and ends the ban. */
function BanNotice({ user, ban, now }: UserDetailProps) {
  const { banReason: reason, banExpires: expires } = user;
  const { t } = useTranslation("users");
  const can = useCan();
  const format = useFormat();
  return (
    <Notice
      kind="error"
      isState
      action={can("user", "ban") && <IntentButton intent="unban">{t("ban.unban")}</IntentButton>}
    >
      <p className="font-semibold">
        {expires ? (
          <Formatted>{t("detail.bannedUntil", { date: format.moment(expires) })}</Formatted>
        ) : (
          t("detail.bannedForever")
        )}
      </p>
      {reason && (
        <p className="whitespace-pre-line">
          <Labelled label={t("detail.reason")}>
            <bdi>{reason}</bdi>
          </Labelled>
        </p>
      )}
      {ban && (
        <ManagerActLine
          act={ban}
          text={(name) => t("detail.bannedBy", { name })}
          unnamed={t("detail.bannedByAdmin")}
          now={now}
        />
      )}
    </Notice>
  );
}
