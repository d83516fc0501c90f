import type { FeaturePanels, PanelProps } from "../../feature.ui.ts";
import { Field } from "../../ui/forms/field.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
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

export const teamPanels = {
  "invite-team": InviteTeam,
  "office-teams": OfficeTeams,
} satisfies FeaturePanels<typeof teams, typeof teamsServer>;
