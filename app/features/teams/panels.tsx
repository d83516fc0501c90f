import type { FeaturePanels, PanelProps } from "../../feature.ui.ts";
import { Field } from "../../ui/forms/field.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import type { teamsServer } from "./feature.server.ts";
import type { teams } from "./feature.ts";

type Team = { id: string; name: string; memberCount: number };

/** The teams of an organization, for managers. */
function OfficeTeams({ shown }: PanelProps<"officeAside", Team[]>) {
  const { t } = useTranslation("manager-organizations");
  const format = useFormat();
  return (
    <Panel title={t("teams")}>
      {shown.length === 0 ? (
        <p className="text-sm text-muted">{t("noTeams")}</p>
      ) : (
        <ul className="grid gap-2 text-sm">
          {shown.map(({ id, name, memberCount }) => (
            <li key={id} className="flex items-baseline justify-between gap-3">
              <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
              <span className="shrink-0 text-muted">
                <Formatted>
                  {t("memberCount", { count: memberCount, formatted: format.number(memberCount) })}
                </Formatted>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

type InviteProps = PanelProps<"inviteForm", { id: string; name: string }[]>;

/** The team that an invited person joins, if wanted. */
function InviteTeam({ subject: { values, errors }, shown }: InviteProps) {
  const { t } = useTranslation("organizations");
  if (shown.length === 0) return null;
  return (
    <Field name="team" label={t("invite.team")} errors={errors.team}>
      {(control) => (
        <Select {...control} defaultValue={values.team ?? ""}>
          <option value="">{t("invite.noTeam")}</option>
          {shown.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

type RowProps = PanelProps<"invitationRow", { id: string; name: string }[]>;

/** The team into which an invitation leads, in the list of invitations. */
function RowTeam({ subject, shown }: RowProps) {
  const { t } = useTranslation("organizations");
  const team = shown.find(({ id }) => id === subject.teamId);
  return team && ` · ${t("invite.inTeam", { name: isolate(team.name) })}`;
}

/** The same on the page of an invitation. A team with the organization's name is left out. */
function InvitationTeam({ subject, shown }: PanelProps<"invitation", string | undefined>) {
  const { t } = useTranslation("organizations");
  if (!shown || shown === subject.organization) return null;
  return <p className="text-muted">{t("invitation.team", { team: isolate(shown) })}</p>;
}

export const teamPanels = {
  "invitation-row-team": RowTeam,
  "invitation-team": InvitationTeam,
  "invite-team": InviteTeam,
  "office-teams": OfficeTeams,
} satisfies FeaturePanels<typeof teams, typeof teamsServer>;
