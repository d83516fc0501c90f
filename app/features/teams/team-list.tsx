import { Form, href, Link } from "react-router";
import { TextField } from "../../ui/forms/field.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { useFirstErrorFocus } from "../../ui/forms/use-first-error-focus.ts";
import { Panel, rowsClass } from "../../ui/layout/panel.tsx";
import { useArrivalFocus } from "../../ui/layout/use-arrival-focus.ts";
import { Badge } from "../../ui/text/badge.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { NAME_MAX_LENGTH } from "../../values/limits.ts";
import { roleCan } from "../access/organization-permissions.ts";
import type { OrganizationRole } from "../access/role-names.ts";
import { PartFormButtons, useIsFormAsked } from "../organizations/part-form.tsx";

/** Of one organization. A trigger keeps the limit; the screen says it. */
const MAX_TEAMS = 20;

type TeamListProps = {
  frame: { slug: string; role: OrganizationRole };
  teams: { id: string; name: string; memberCount: number; isIn: boolean }[];
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
};

/** The teams of an organization, and the form for a new one. */
export function TeamList({ frame, teams, result }: TeamListProps) {
  const { t } = useTranslation("organizations");
  const { slug, role } = frame;
  const isAsked = useIsFormAsked("new");
  return (
    <div className="grid gap-6">
      {roleCan(role, "team", "create") && (isAsked || result) && <NewTeam result={result} />}
      {teams.length === 0 && <p className="text-sm text-muted">{t("teams.none")}</p>}
      <ul className={`empty:hidden ${rowsClass}`}>
        {teams.map(({ id, name, memberCount, isIn }) => (
          <li key={id} className="min-w-0">
            <Link
              prefetch="intent"
              to={href("/app/organizations/:slug/teams/:team", { slug, team: id })}
              className="flex min-h-12 min-w-0 items-center gap-3 px-4 py-2 text-sm hover:bg-fill sm:px-6"
            >
              <Icon name="users" className="size-4 shrink-0 text-muted" />
              <span className="grid min-w-0 grow gap-x-3 gap-y-1 sm:flex sm:items-center">
                <span className="min-w-0 font-medium sm:truncate">
                  <bdi>{name}</bdi>
                </span>
                <span className="flex items-center gap-2 sm:contents">
                  <span className="text-muted sm:order-last sm:ms-auto sm:shrink-0">
                    {t("members", { count: memberCount })}
                  </span>
                  {isIn && <Badge tone="border-line bg-sunken">{t("teams.mine")}</Badge>}
                </span>
              </span>
              <Icon name="chevron-right" className="size-4 shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function NewTeam({ result }: Pick<TeamListProps, "result">) {
  const { t } = useTranslation("organizations");
  const form = useFirstErrorFocus(result);
  useArrivalFocus(form);
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
        <PartFormButtons intent="create" label={t("teams.create")} />
      </Form>
    </Panel>
  );
}
