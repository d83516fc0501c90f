import { generatePath, Link } from "react-router";
import { Panel } from "../../../ui/layout/panel.tsx";
import { aroundValues } from "../../../ui/text/around-values.ts";
import { EmailText } from "../../../ui/text/email-text.tsx";
import { RelativeTime } from "../../../ui/text/relative-time.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import type { OrganizationRole } from "../../access/role-names.ts";
import { RoleBadge } from "../organization-badges.tsx";
import { InvitationActions } from "./invitation-list.tsx";

const INVITATIONS = "/app/organizations/:slug/invitations";

type PendingListProps = {
  slug: string;
  /** Number of all. Only the newest are shown. */
  count: number;
  invitations: {
    id: string;
    email: string;
    role: OrganizationRole | null;
    sentAt: Date;
    expiresAt: Date;
    url: string;
  }[];
  now: Date;
};

/** The invited people, above the members. */
export function PendingList({ slug, count, invitations, now }: PendingListProps) {
  const { t } = useTranslation("organizations");
  const format = useFormat();
  const [before, after] = aroundValues((when) => t("pending.sent", { when }));
  if (invitations.length === 0) return null;
  const path = generatePath(INVITATIONS, { slug });
  return (
    <Panel
      title={t("pending.title", { count, formatted: format.number(count) })}
      action={
        <Link to={path} className="link inline-flex min-h-control items-center text-sm">
          {t("pending.all")}
        </Link>
      }
    >
      <ul className="grid divide-y divide-line">
        {invitations.map((one) => (
          <li key={one.id} className="flex items-center gap-3 py-2 text-sm">
            <span className="grid min-w-0 grow gap-x-4 gap-y-1 sm:flex sm:items-center">
              <EmailText isOneLine className="min-w-0 truncate font-medium">
                {one.email}
              </EmailText>
              <span className="text-muted sm:ms-auto sm:shrink-0">
                {before}
                <RelativeTime date={one.sentAt} now={now} />
                {after}
              </span>
            </span>
            <RoleBadge role={one.role ?? "member"} />
            <InvitationActions
              key={now.getTime()}
              invitation={{ ...one, state: "open" }}
              path={path}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
