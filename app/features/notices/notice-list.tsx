import type { ReactNode } from "react";
import { Form, href, useNavigation } from "react-router";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { rowsClass } from "../../ui/layout/panel.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import type { IconName } from "../../ui/text/icon-names.ts";
import { isolate } from "../../ui/text/isolate.ts";
import { LoneTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { deviceIcon } from "../../values/device-icon.ts";
import { type Notice, READ_UNTIL } from "./notices.ts";

const ICONS = {
  invitation: "mail",
  deletion: "trash-2",
  disabled: "ban",
} as const satisfies Record<Exclude<Notice["kind"], "sign-in">, IconName>;

/** What takes something away from the user; in red. */
const SEVERE: readonly Notice["kind"][] = ["deletion", "disabled"];

type NoticeListProps = {
  notices: Notice[];
  /** True while a manager impersonates the user: nothing can be marked as read. */
  isClosed: boolean;
  accountPath: string;
  now: Date;
};

/** What needs the user's attention, newest first, with links to what can be done. */
export function NoticeList({ notices, isClosed, accountPath, now }: NoticeListProps) {
  const { t } = useTranslation("notices");
  // The mark cannot fail for reasons of others, so it shows before the answer.
  const isMarked = useNavigation().formData?.has(READ_UNTIL) ?? false;
  const shown = isMarked ? notices.map((notice) => ({ ...notice, isUnread: false })) : notices;
  const hasUnread = shown.some(({ isUnread }) => isUnread);
  return (
    <div className="grid gap-6">
      <ScreenHeader title={t("title")}>
        {hasUnread && !isClosed && (
          <Form method="post">
            <input type="hidden" name={READ_UNTIL} value={now.getTime()} />
            <Button variant="secondary" isSmall>
              <Icon name="check" className="size-4 max-sm:hidden" />
              {t("markRead")}
            </Button>
          </Form>
        )}
      </ScreenHeader>
      {notices.length === 0 ? (
        <EmptyState role="status" title={t("noneTitle")} text={t("none")} />
      ) : (
        <ul className={rowsClass}>
          {shown.map((notice) => (
            <Item key={notice.key} notice={notice} accountPath={accountPath} now={now} />
          ))}
        </ul>
      )}
    </div>
  );
}

type ItemProps = { notice: Notice; accountPath: string; now: Date };

function Item({ notice, accountPath, now }: ItemProps) {
  const { t } = useTranslation("notices");
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 p-4 text-sm max-sm:hover:bg-sunken sm:px-6">
      <Icon
        name={notice.kind === "sign-in" ? deviceIcon(notice.device) : ICONS[notice.kind]}
        className={`row-span-3 mt-0.5 size-5 self-start ${SEVERE.includes(notice.kind) ? "text-danger" : notice.isUnread ? "text-accent-ink" : "text-muted"}`}
      />
      <span className={`max-sm:col-span-2 ${notice.isUnread ? "font-semibold" : ""}`}>
        <Title notice={notice} />
        {notice.isUnread && (
          <>
            {/* A letter after a space that does not break, so that the dot never stands alone on a line. */}
            <span
              aria-hidden="true"
              className="align-[-0.125rem] text-lg leading-none text-accent-ink"
            >
              {"\u00a0\u00a0•"}
            </span>
            <span className="sr-only">{t("new")}</span>
          </>
        )}
      </span>
      <span className="text-muted max-sm:col-span-2 sm:col-start-2" suppressHydrationWarning>
        <Detail notice={notice} />
      </span>
      <LoneTime date={notice.at} now={now} className="text-xs sm:col-start-2" />
      {/* On a phone the whole notice is its link. */}
      <ButtonLink
        to={targetOf(notice, accountPath)}
        variant="secondary"
        isSmall
        className="max-sm:min-h-0 max-sm:border-0 max-sm:bg-transparent max-sm:p-0 max-sm:text-accent-ink max-sm:shadow-none max-sm:after:absolute max-sm:after:inset-0 sm:col-start-3 sm:row-span-3 sm:row-start-1 sm:min-w-40"
      >
        {t(`actions.${notice.kind}`)}
      </ButtonLink>
    </li>
  );
}

function Title({ notice }: { notice: Notice }): ReactNode {
  const { t } = useTranslation("notices");
  if (notice.kind === "sign-in") return t("titles.sign-in");
  return t(`titles.${notice.kind}`, { organization: isolate(notice.organization) });
}

function Detail({ notice }: { notice: Notice }): ReactNode {
  const { t } = useTranslation("notices");
  const account = useTranslation("account").t;
  const format = useFormat();
  switch (notice.kind) {
    case "invitation": {
      const date = format.moment(notice.expiresAt);
      return notice.inviter
        ? t("details.invitation", { name: isolate(notice.inviter), date })
        : t("details.invitationUnnamed", { date });
    }
    case "deletion":
      return t("details.deletion", { date: format.day(notice.dueAt) });
    case "disabled":
      return notice.reason
        ? t("details.reason", { reason: isolate(notice.reason) })
        : t("details.disabled");
    case "sign-in":
      return [
        notice.device ? account("sessions.device", notice.device) : account("sessions.unknown"),
        notice.place && format.place(notice.place),
      ]
        .filter(Boolean)
        .join(" · ");
  }
}

/** Returns the screen on which the user can do something about it. */
function targetOf(notice: Notice, accountPath: string): string {
  switch (notice.kind) {
    case "invitation":
      return href("/invitations/:id", { id: notice.id });
    case "deletion":
    case "disabled":
      return href("/app/organizations/:slug", { slug: notice.slug });
    case "sign-in":
      return accountPath;
  }
}
