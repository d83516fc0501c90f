import { Form, href, Link, useNavigation } from "react-router";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { FormErrors } from "../../../ui/form-errors.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { useTranslation } from "../../../ui/translation.tsx";
import { useFirstErrorFocus } from "../../../ui/use-first-error-focus.ts";
import { NAME_MAX_LENGTH } from "../../../values/limits.ts";
import { type OrganizationRole, roleCan } from "../../access/organization-permissions.ts";
import { MAX_TEAMS } from "../organization-limits.ts";

type TeamListProps = {
  frame: { slug: string; role: OrganizationRole };
  teams: { id: string; name: string; memberCount: number; isIn: boolean }[];
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
};

/** The teams of an organization, and the form for a new one. */
export function TeamList({ frame, teams, result }: TeamListProps) {
  const { t } = useTranslation("organizations");
  const { slug, role } = frame;
  return (
    <div className="grid gap-6">
      <Panel title={t("nav.teams")}>
        <ul className="grid gap-2">
          {teams.map(({ id, name, memberCount, isIn }) => (
            <li key={id}>
              <Link
                to={href("/app/organizations/:slug/teams/:team", { slug, team: id })}
                className="flex min-h-11 min-w-0 flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-md px-3 py-2 text-sm hover:bg-fill"
              >
                <bdi className="min-w-0 font-medium wrap-anywhere">{name}</bdi>
                <span className="flex items-center gap-2 text-muted">
                  {isIn && <Badge tone="border-line bg-sunken">{t("teams.mine")}</Badge>}
                  {t("members", { count: memberCount })}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
      {roleCan(role, "team", "create") && <NewTeam result={result} />}
    </div>
  );
}

function NewTeam({ result }: Pick<TeamListProps, "result">) {
  const { t } = useTranslation("organizations");
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(result);
  return (
    <Panel title={t("teams.new")} intro={t("teams.limit", { maximum: MAX_TEAMS })}>
      <Form ref={form} method="post" noValidate className="grid max-w-xl gap-4">
        <FormErrors errors={result?.errors[""]} />
        <TextField
          name="name"
          label={t("teams.name")}
          dir="auto"
          maxLength={NAME_MAX_LENGTH}
          defaultValue={result?.values.name}
          errors={result?.errors.name}
          required
        />
        <Button isBusy={isBusy} name="intent" value="create" className="justify-self-start">
          {t("teams.create")}
        </Button>
      </Form>
    </Panel>
  );
}
