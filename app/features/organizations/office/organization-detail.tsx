import { href } from "react-router";
import { BackLink } from "../../../lists/back-link.tsx";
import { Formatted } from "../../../ui/formatted.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Labelled } from "../../../ui/labelled.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { useTranslation } from "../../../ui/translation.tsx";
import { useFormat } from "../../../ui/use-format.ts";
import { MemberControls } from "./member-controls.tsx";
import {
  DeleteControl,
  DisableControl,
  EnableControl,
  type OrganizationFormResult,
  RenameControl,
  RepositoryControls,
  RestoreControl,
} from "./organization-controls.tsx";
import type { findOrganizationDetail } from "./organization-detail.server.ts";
import {
  ActivityPanel,
  InvitationsPanel,
  MembersPanel,
  RepositoriesPanel,
  TeamsPanel,
} from "./organization-panels.tsx";
import { StateBadge } from "./state-badge.tsx";

type Detail = NonNullable<Awaited<ReturnType<typeof findOrganizationDetail>>>;

type OrganizationDetailProps = Detail & {
  /** Values and errors of a refused form of this screen. */
  result: OrganizationFormResult;
  now: Date;
};

/** Shows an organization and the changes that a manager may make. */
export function OrganizationDetail(props: OrganizationDetailProps) {
  const { organization, members, teams, invitations, repositories, activity } = props;
  const { result, now } = props;
  // Nothing in a disabled organization can change, and nothing in one that is being deleted.
  const isOpen = organization.state === "active";
  // After a change the forms are drawn anew, which closes their drawers.
  const drawn = now.getTime();
  return (
    <div className="grid gap-6">
      <DetailHeader key={drawn} organization={organization} result={result} />
      <StateNotices organization={organization} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="grid gap-6">
          <MembersPanel
            members={members}
            actions={isOpen && <MemberControls key={drawn} members={members} result={result} />}
          />
          <TeamsPanel teams={teams} />
        </div>
        <div className="grid gap-6">
          <InvitationsPanel invitations={invitations} now={now} />
          <RepositoriesPanel
            repositories={repositories}
            actions={
              isOpen && (
                <RepositoryControls key={drawn} repositories={repositories} result={result} />
              )
            }
          />
          <ActivityPanel organizationId={organization.id} activity={activity} now={now} />
        </div>
      </div>
    </div>
  );
}

type OrganizationProps = { organization: Detail["organization"] };

/** The organization's name, slug and state, and the actions on it as a whole. */
function DetailHeader({
  organization,
  result,
}: OrganizationProps & { result: OrganizationFormResult }) {
  const { name, slug, version, state, disabledAt, deletionDueAt } = organization;
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <DetailTitle organization={organization} />
      <div className="flex flex-wrap gap-3">
        {state === "active" && (
          <RenameControl name={name} slug={slug} version={version} result={result} />
        )}
        {disabledAt ? <EnableControl /> : <DisableControl name={name} result={result} />}
        {deletionDueAt && <RestoreControl />}
        {state === "active" && <DeleteControl name={name} result={result} />}
      </div>
    </div>
  );
}

function DetailTitle({ organization }: OrganizationProps) {
  const common = useTranslation().t;
  const { name, slug, state } = organization;
  return (
    <div className="flex min-w-0 items-center gap-4">
      <BackLink to={href("/manager/organizations")} aria-label={common("actions.back")}>
        <Icon name="arrow-left" className="size-5 rtl:-scale-x-100" />
      </BackLink>
      <div className="grid gap-1">
        <h1 className="text-xl font-semibold">
          <bdi>{name}</bdi>
        </h1>
        <div className="flex flex-wrap items-center gap-2">
          <StateBadge state={state} />
          <bdi dir="ltr" className="text-sm text-muted">
            {slug}
          </bdi>
        </div>
      </div>
    </div>
  );
}

/** Says when the organization will be deleted, and why it is disabled. */
function StateNotices({ organization }: OrganizationProps) {
  const { t } = useTranslation("manager-organizations");
  const format = useFormat();
  const { deletionDueAt, disabledAt, disabledReason } = organization;
  return (
    <>
      {deletionDueAt && (
        <Notice kind="warning">
          <Formatted>{t("deletion.on", { date: format.longMoment(deletionDueAt) })}</Formatted>
        </Notice>
      )}
      {disabledAt && (
        <section className="grid gap-2 rounded-md border border-danger-line bg-danger-fill p-4 text-sm">
          <p className="font-medium">
            <Formatted>{t("disabled.since", { date: format.longMoment(disabledAt) })}</Formatted>
          </p>
          {disabledReason && (
            <p className="whitespace-pre-line">
              <Labelled label={t("disabled.reason")}>
                <bdi>{disabledReason}</bdi>
              </Labelled>
            </p>
          )}
        </section>
      )}
    </>
  );
}
