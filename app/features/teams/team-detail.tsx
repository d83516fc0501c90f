import type { ReactNode } from "react";
import { Form, href, Link } from "react-router";
import { Button } from "../../ui/forms/button.tsx";
import { Field, TextField } from "../../ui/forms/field.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { useFirstErrorFocus } from "../../ui/forms/use-first-error-focus.ts";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { Panel, rowsClass } from "../../ui/layout/panel.tsx";
import { Breadcrumb, BreadcrumbLink, ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { aroundValues } from "../../ui/text/around-values.ts";
import { Avatar } from "../../ui/text/avatar.tsx";
import { Badge } from "../../ui/text/badge.tsx";
import { EmailText } from "../../ui/text/email-text.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { You } from "../../ui/text/you.tsx";
import { NAME_MAX_LENGTH } from "../../values/limits.ts";
import { roleCan } from "../access/organization-permissions.ts";
import type { OrganizationRole } from "../access/role-names.ts";
import { JoinedTime } from "../organizations/joined-time.tsx";
import { RoleBadge } from "../organizations/organization-badges.tsx";
import { StateNotices } from "../organizations/organization-frame.tsx";
import type { OrganizationFrame } from "../organizations/organization-page.server.ts";
import { personOption } from "../organizations/person-option.ts";

type Person = { userId: string; name: string; email: string; avatar: string | null };

type TeamMember = Person & { role: OrganizationRole; joinedAt: Date };

type Result = { values: Record<string, string>; errors: Record<string, string[]> } | undefined;

type TeamDetailProps = {
  frame: OrganizationFrame;
  team: { id: string; name: string };
  members: TeamMember[];
  /** Members of the organization who are not in the team. */
  others: Person[];
  ownId: string;
  result: Result;
  now: Date;
};

/** A team with its members, and what the signed-in member may change. */
export function TeamDetail(props: TeamDetailProps) {
  const { frame, team, members, others, ownId, result, now } = props;
  const { t } = useTranslation("organizations");
  const { role } = frame;
  const mayChange = roleCan(role, "member", "update");
  return (
    <div className="grid gap-6">
      <TeamHeader frame={frame} name={team.name} memberCount={members.length} />
      <FormErrors errors={result?.errors[""]} />
      {mayChange ? (
        <Panel isBeside title={t("nav.members")}>
          <AddMember others={others} result={result} />
          <Members members={members} ownId={ownId} now={now} className="-my-1 grid">
            {(userId) => <RemoveButton userId={userId} />}
          </Members>
        </Panel>
      ) : (
        <>
          <Members members={members} ownId={ownId} now={now} className={`${rowsClass} *:px-4`} />
          <ManagedBy frame={frame} />
        </>
      )}
      {roleCan(role, "team", "update") && <RenameTeam name={team.name} result={result} />}
      {roleCan(role, "team", "delete") && (
        <Panel isBeside title={t("teams.delete")} intro={t("teams.deleteIntro")}>
          <div>
            <ConfirmDrawer
              intent="delete"
              icon="trash-2"
              trigger={t("teams.delete")}
              text={
                <WithOwnText text={(name) => t("teams.deleteText", { name })} value={team.name} />
              }
              isDestructive
            />
          </div>
        </Panel>
      )}
    </div>
  );
}

type TeamHeaderProps = { frame: OrganizationFrame; name: string; memberCount: number };

/** The team's name below links to the organization and its teams, and the organization's state. */
function TeamHeader({ frame, name, memberCount }: TeamHeaderProps) {
  const { t } = useTranslation("organizations");
  const { slug } = frame;
  const above = [
    { to: href("/app/organizations"), label: t("title") },
    { to: href("/app/organizations/:slug", { slug }), label: frame.name },
    { to: href("/app/organizations/:slug/teams", { slug }), label: t("nav.teams") },
  ];
  return (
    <header className="grid gap-4">
      <ScreenTitle>{`${name} · ${frame.name}`}</ScreenTitle>
      <ScreenHeader
        breadcrumb={
          <Breadcrumb>
            {above.map(({ to, label }) => (
              <BreadcrumbLink key={to} to={to}>
                {label}
              </BreadcrumbLink>
            ))}
          </Breadcrumb>
        }
        title={<bdi className="wrap-anywhere max-sm:text-lg">{name}</bdi>}
        badges={
          memberCount > 0 && (
            <Badge tone="border-line bg-sunken">{t("members", { count: memberCount })}</Badge>
          )
        }
      />
      <StateNotices frame={frame} />
    </header>
  );
}

type MembersProps = {
  members: TeamMember[];
  ownId: string;
  now: Date;
  className: string;
  children?: (userId: string) => ReactNode;
};

function Members({ members, ownId, now, className, children }: MembersProps) {
  const { t } = useTranslation("organizations");
  if (members.length === 0) return <p className="text-sm text-muted">{t("teams.none")}</p>;
  return (
    <ul aria-label={t("nav.members")} className={className}>
      {members.map((person) => (
        <li key={person.userId} className="flex min-w-0 items-center gap-3 py-2 text-sm">
          <Avatar {...person} />
          <span className="min-w-0 grow items-center gap-3 sm:flex">
            <span className="grid min-w-0 grow">
              <span className="flex min-w-0 items-center gap-2">
                <span className="truncate">
                  {person.name ? <bdi>{person.name}</bdi> : <EmailText>{person.email}</EmailText>}
                </span>
                {person.userId === ownId && <You />}
              </span>
              {person.name && (
                <span className="truncate text-muted">
                  <EmailText>{person.email}</EmailText>
                </span>
              )}
            </span>
            <Standing member={person} now={now} />
          </span>
          {children?.(person.userId)}
        </li>
      ))}
    </ul>
  );
}

/**
 * Role in the organization, and since when the member is in the team; on a phone below the e-mail,
 * which needs its line.
 */
function Standing({ member: { role, joinedAt }, now }: { member: TeamMember; now: Date }) {
  return (
    <span className="flex shrink-0 items-center gap-2 max-sm:mt-1 sm:gap-4">
      <RoleBadge role={role} />
      <JoinedTime date={joinedAt} now={now} className="text-muted max-sm:text-xs" />
    </span>
  );
}

/** Says who can change the team, with a link to them. */
function ManagedBy({ frame: { slug, name } }: { frame: OrganizationFrame }) {
  const { t } = useTranslation("organizations");
  const [before, after] = aroundValues((organization) => t("teams.managedBy", { organization }));
  return (
    <p className="text-sm text-muted">
      {before}
      <Link
        to={href("/app/organizations/:slug/members", { slug })}
        dir="auto"
        // Among grey words colour alone does not show a link.
        className="text-accent-ink underline underline-offset-4"
      >
        {name}
      </Link>
      {after}
    </p>
  );
}

function RemoveButton({ userId }: { userId: string }) {
  const { t } = useTranslation("organizations");
  return (
    <Form method="post" className="shrink-0">
      <input type="hidden" name="intent" value="remove" />
      <Button variant="secondary" isSmall name="removed" value={userId}>
        {t("teams.remove")}
      </Button>
    </Form>
  );
}

function AddMember({ others, result }: { others: Person[]; result: Result }) {
  const { t } = useTranslation("organizations");
  const form = useFirstErrorFocus(result);
  if (others.length === 0) return <p className="text-sm text-muted">{t("teams.all")}</p>;
  return (
    <Form ref={form} method="post" noValidate className="grid gap-3 border-b border-line pb-4">
      <Field name="user" label={t("teams.add")} errors={result?.errors.user}>
        {(control) => (
          <div className="flex gap-3">
            <Select {...control} required className="min-w-0 grow">
              <option value="">{t("teams.choose")}</option>
              {others.map((person) => (
                <option key={person.userId} value={person.userId}>
                  {personOption(person, others)}
                </option>
              ))}
            </Select>
            <Button variant="secondary" name="intent" value="add" className="shrink-0">
              {t("teams.addButton")}
            </Button>
          </div>
        )}
      </Field>
    </Form>
  );
}

function RenameTeam({ name, result }: { name: string; result: Result }) {
  const { t } = useTranslation("organizations");
  const form = useFirstErrorFocus(result);
  return (
    <Panel isBeside title={t("teams.rename")}>
      <Form ref={form} method="post" noValidate className="grid max-w-xl gap-4">
        <TextField
          name="name"
          label={t("teams.name")}
          dir="auto"
          maxLength={NAME_MAX_LENGTH}
          defaultValue={result?.values.name ?? name}
          errors={result?.errors.name}
          required
        />
        <Button name="intent" value="rename" className="justify-self-start">
          {t("teams.save")}
        </Button>
      </Form>
    </Panel>
  );
}
