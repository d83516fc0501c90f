import type { ReactNode } from "react";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { SingleColumn } from "../../ui/layout/single-column.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { AppFacts, type ShownApp } from "./app-facts.tsx";
import { AppLogo } from "./app-logo.tsx";
import type { ShownApproval } from "./approvals.server.ts";
import { ApprovalsPanel } from "./approvals-panel.tsx";

type OwnAppsScreenProps = {
  apps: ShownApp[];
  /** Calls that wait for the user. */
  approvals: ShownApproval[];
  area: "app" | "manager";
  breadcrumb: ReactNode;
  errors: string[] | undefined;
  now: Date;
  /** What features draw below. */
  children: ReactNode;
};

/** The apps that know the user, each with a way to end that. */
export function OwnAppsScreen(props: OwnAppsScreenProps) {
  const { apps, approvals, area, breadcrumb, errors, now, children } = props;
  const { t } = useTranslation("connected-apps");
  return (
    <SingleColumn>
      <ScreenTitle>{t("own.title")}</ScreenTitle>
      <div className="grid gap-2">
        <ScreenHeader title={t("own.title")} breadcrumb={breadcrumb} />
        <p className="text-sm text-muted">{t("own.intro")}</p>
      </div>
      <FormErrors errors={errors} />
      <ApprovalsPanel approvals={approvals} area={area} now={now} />
      {apps.length === 0 ? (
        <EmptyState title={t("own.empty")} text={t("own.emptyText")} />
      ) : (
        <Panel title={t("own.list")}>
          <ul className="grid divide-y divide-line">
            {apps.map((app) => (
              <AppRow key={app.clientId} shown={app} now={now} />
            ))}
          </ul>
        </Panel>
      )}
      {children}
    </SingleColumn>
  );
}

function AppRow({ shown, now }: { shown: ShownApp; now: Date }) {
  const { t } = useTranslation("connected-apps");
  const { clientId, name, isUnasked } = shown;
  const text = isUnasked ? "own.endTextUnasked" : "own.endText";
  return (
    <li className="flex flex-wrap items-start gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <AppLogo {...shown} />
      <AppFacts shown={shown} now={now} />
      <div className="max-sm:ps-8">
        <ConfirmDrawer
          intent="end-app"
          isDestructive
          text={<WithOwnText text={(value) => t(text, { name: value })} value={name} />}
          trigger={
            <>
              {t("own.end")}{" "}
              <span className="sr-only">
                <bdi>{name}</bdi>
              </span>
            </>
          }
        >
          <input type="hidden" name="app" value={clientId} />
        </ConfirmDrawer>
      </div>
    </li>
  );
}
