import { Form, href, Link, useNavigation } from "react-router";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { FormErrors } from "../../../ui/form-errors.tsx";
import { Icon } from "../../../ui/icon.tsx";
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
      <ul className="grid divide-y divide-line overflow-hidden rounded-md border border-line bg-panel shadow-low">
        {teams.map(({ id, name, memberCount, isIn }) => (
          <li key={id} className="min-w-0">
            <Link
              to={href("/app/organizations/:slug/teams/:team", { slug, team: id })}
              className="flex min-h-12 min-w-0 items-center gap-3 px-4 py-2 text-sm hover:bg-fill"
            >
              <Icon name="users" className="size-4 shrink-0 text-muted" />
              <bdi className="min-w-0 truncate font-medium">{name}</bdi>
              {isIn && <Badge tone="border-line bg-sunken">{t("teams.mine")}</Badge>}
              <span className="ms-auto shrink-0 text-muted">
                {t("members", { count: memberCount })}
              </span>
              <Icon name="chevron-right" className="size-4 shrink-0 text-muted rtl:-scale-x-100" />
            </Link>
          </li>
        ))}
      </ul>
      {roleCan(role, "team", "create") && <NewTeam result={result} />}
    </div>
  );
}

function NewTeam({ result }: Pick<TeamListProps, "result">) {
  const { t } = useTranslation("organizations");
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(result);
  return (
    <Panel isBeside title={t("teams.new")} intro={t("teams.limit", { maximum: MAX_TEAMS })}>
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
