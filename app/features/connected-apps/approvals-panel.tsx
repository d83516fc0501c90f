import { Link } from "react-router";
import { Panel } from "../../ui/layout/panel.tsx";
import { Dotted } from "../../ui/text/dotted.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { RelativeTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { ShownApproval } from "./approvals.server.ts";
import { approvalPath } from "./apps-path.ts";
import { useScopeText } from "./scope-text.ts";

type ApprovalsPanelProps = {
  approvals: readonly ShownApproval[];
  area: "app" | "manager";
  now: Date;
};

/** The calls of apps that wait for the reader's approval, if there are any. */
export function ApprovalsPanel(props: ApprovalsPanelProps) {
  return props.approvals.length > 0 && <WaitingCalls {...props} />;
}

function WaitingCalls({ approvals, area, now }: ApprovalsPanelProps) {
  const { t } = useTranslation("connected-apps");
  const textOf = useScopeText();
  return (
    <Panel title={t("approval.waiting")} intro={t("approval.waitingText")}>
      <ul className="-mx-3 -my-1 grid">
        {approvals.map(({ id, app, scope, title, askedAt }) => (
          <li key={id} className="min-w-0">
            <Link
              to={approvalPath(area, id)}
              className="group flex min-h-11 min-w-0 items-center gap-3 rounded-md px-3 py-1 text-sm hover:bg-fill"
            >
              <Icon name="shield" className="size-5 shrink-0 text-muted" />
              <span className="grid min-w-0 grow wrap-anywhere">
                <span className="font-medium group-hover:underline">
                  <Dotted>
                    <span>{textOf(scope)}</span>
                    {title !== null && <bdi>{title}</bdi>}
                  </Dotted>
                </span>
                <span className="text-muted">
                  <Dotted>
                    <bdi>{app}</bdi>
                    <RelativeTime date={new Date(askedAt)} now={now} />
                  </Dotted>
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
