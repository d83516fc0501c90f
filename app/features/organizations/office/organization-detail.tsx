import type { ReactNode } from "react";
import { href, useLocation } from "react-router";
import { ListBreadcrumb } from "../../../lists/table/list-breadcrumb.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { IntentButton } from "../../../ui/forms/intent-button.tsx";
import type { RefusedForm } from "../../../ui/forms/refused-form.ts";
import { ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { Formatted } from "../../../ui/text/formatted.tsx";
import { Labelled } from "../../../ui/text/labelled.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { useCan } from "../../access/use-can.tsx";
import { EventsPanel } from "../../audit/events-panel.tsx";
import { ManagerActLine } from "../../audit/manager-act.tsx";
import { AddMember } from "./add-member.tsx";
import { MemberDrawer } from "./member-drawer.tsx";
import { OrganizationMenu, RenameControl } from "./organization-controls.tsx";
import { OrganizationFacts } from "./organization-facts.tsx";
import type { findOrganizationDetail } from "./organization-page.server.ts";
import { InvitationsPanel, MembersPanel } from "./organization-panels.tsx";

type Detail = NonNullable<Awaited<ReturnType<typeof findOrganizationDetail>>>;

type OrganizationDetailProps = Omit<Detail, "panelRows"> & {
  /** Panels of features, below the members and beside the facts. */
  panels: ReactNode;
  aside: ReactNode;
  /** Values and errors of a refused form of this screen. */
  result: RefusedForm;
  now: Date;
};

/** Shows an organization and the changes that a manager may make. */
export function OrganizationDetail(props: OrganizationDetailProps) {
  const { organization, members, invitations, events } = props;
  const { panels, aside, result, now } = props;
  const { t } = useTranslation("manager-organizations");
  // Nothing in a disabled organization can change, and nothing in one that is being deleted.
  const can = useCan();
  const isOpen = organization.state === "active" && can("organization", "update");
  // After a change the forms are drawn anew, which closes their drawers.
  const drawn = now.getTime();
  const { pathname, search } = useLocation();
  const asked = new URLSearchParams(search);
  const memberId = asked.get("member") ?? result?.values.member;
  const member = members.find(({ id }) => id === memberId);
  const owners = members.filter(({ role }) => role === "owner");
  return (
    <div className="grid gap-6">
      <DetailHeader key={drawn} organization={organization} result={result} />
      <div className="grid gap-3 empty:hidden">
        <DeletionNotice organization={organization} />
        <DisabledNotice {...props} />
      </div>
      {isOpen && member && (
        <MemberDrawer
          member={member}
          isOnlyOwner={owners.length === 1 && owners.includes(member)}
          closeTo={pathname}
          result={result}
        />
      )}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[22rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
        <OrganizationFacts organization={organization} now={now} />
        <div className="grid min-w-0 gap-6 lg:row-span-2">
          <MembersPanel
            members={members}
            mayChange={isOpen}
            action={isOpen && <AddMember key={drawn} result={result} />}
          />
          {panels}
          {events && (
            <EventsPanel
              title={t("history.title")}
              emptyText={t("history.empty")}
              side="target"
              id={organization.id}
              events={events}
            />
          )}
        </div>
        <div className="grid min-w-0 gap-6">
          {aside}
          <InvitationsPanel invitations={invitations} now={now} />
        </div>
      </div>
    </div>
  );
}

type OrganizationProps = { organization: Detail["organization"] };

/** The organization's name, and the actions on it as a whole. */
function DetailHeader({ organization, result }: OrganizationProps & { result: RefusedForm }) {
  const { t } = useTranslation("manager-organizations");
  const { name, slug, version, state, disabledAt } = organization;
  const can = useCan();
  const mayUpdate = can("organization", "update");
  const mayDelete = can("organization", "delete");
  return (
    <ScreenHeader
      title={<bdi>{name}</bdi>}
      breadcrumb={<ListBreadcrumb to={href("/manager/organizations")} title={t("title")} />}
    >
      {mayUpdate && state === "active" && (
        <RenameControl name={name} slug={slug} version={version} result={result} />
      )}
      <OrganizationMenu
        name={name}
        result={result}
        mayDisable={mayUpdate && !disabledAt}
        mayDelete={mayDelete && state === "active"}
      />
    </ScreenHeader>
  );
}

/** Says when the organization will be deleted. Offers to restore it. */
function DeletionNotice({ organization: { deletionDueAt } }: OrganizationProps) {
  const { t } = useTranslation("manager-organizations");
  const format = useFormat();
  const can = useCan();
  if (!deletionDueAt) return null;
  return (
    <Notice
      kind="error"
      isState
      action={
        can("organization", "delete") && (
          <IntentButton intent="restore">{t("restore")}</IntentButton>
        )
      }
    >
      <p className="font-semibold">
        <Formatted>{t("deletion.on", { date: format.moment(deletionDueAt) })}</Formatted>
      </p>
    </Notice>
  );
}

/** Says since when the organization is disabled, why, and which manager did it. Offers to enable it. */
function DisabledNotice({ organization, disabling, now }: OrganizationDetailProps) {
  const { disabledAt, disabledReason } = organization;
  const { t } = useTranslation("manager-organizations");
  const format = useFormat();
  const can = useCan();
  if (!disabledAt) return null;
  return (
    <Notice
      kind="warning"
      action={
        can("organization", "update") && <IntentButton intent="enable">{t("enable")}</IntentButton>
      }
    >
      <p className="font-semibold">
        <Formatted>{t("disabled.since", { date: format.moment(disabledAt) })}</Formatted>
      </p>
      {disabledReason && (
        <p className="whitespace-pre-line">
          <Labelled label={t("disabled.reason")}>
            <bdi>{disabledReason}</bdi>
          </Labelled>
        </p>
      )}
      {disabling && (
        <ManagerActLine
          act={disabling}
          text={(name) => t("disabled.by", { name })}
          unnamed={t("disabled.byAdmin")}
          now={now}
        />
      )}
    </Notice>
  );
}
