import type { ReactNode } from "react";
import { Select } from "../../ui/forms/select.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { useScopeText } from "./scope-text.ts";
import { isCallScope } from "./scopes.ts";

type AskedOfProps = {
  scopes: readonly string[];
  organizations: readonly { id: string; name: string }[];
  /** The organization that the app belongs to, and is told of. */
  owner: { name: string } | null;
  /** Chosen at first. */
  activeOrganizationId: string | null;
  /** URLs of the servers that it may call for the person. */
  apis?: readonly string[];
};

/** What an app is told or may do, in words, and the choice of the organization that it is told of. */
export function AskedOf(props: AskedOfProps) {
  const { scopes, organizations, owner, activeOrganizationId, apis = [] } = props;
  const { t } = useTranslation("connected-apps");
  const textOf = useScopeText();
  const calls = scopes.filter(isCallScope);
  return (
    <>
      {(calls.length < scopes.length || apis.length > 0) && (
        <ul className="grid gap-3">
          {scopes
            .filter((scope) => !isCallScope(scope))
            .map((scope) => (
              <AskedLine key={scope}>
                {scope === "organization" && owner ? (
                  <WithOwnText text={(name) => t("owned.role", { name })} value={owner.name} />
                ) : (
                  textOf(scope)
                )}
              </AskedLine>
            ))}
          {apis.length > 0 && (
            <AskedLine>
              <WithOwnText
                text={(value) => t("connect.apis", { apis: value })}
                value={apis.join(", ")}
              />
            </AskedLine>
          )}
        </ul>
      )}
      {calls.length > 0 && (
        <div className="grid gap-3">
          <p className="text-muted">
            {t(calls.length < scopes.length ? "connect.calls" : "connect.callsOnly")}
          </p>
          <ul className="grid gap-3">
            {calls.map((scope) => (
              <AskedLine key={scope}>{textOf(scope)}</AskedLine>
            ))}
          </ul>
          <p className="text-sm text-muted">{t("connect.callsHint")}</p>
        </div>
      )}
      {scopes.includes("organization") && organizations.length > 0 && (
        <div className="grid gap-2">
          <label htmlFor="organization" className="text-sm font-medium">
            {t("connect.organization")}
          </label>
          <Select id="organization" name="organization" defaultValue={activeOrganizationId ?? ""}>
            <option value="">{t("connect.noOrganization")}</option>
            {organizations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </div>
      )}
    </>
  );
}

function AskedLine({ children }: { children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <Icon name="check" className="mt-0.5 size-5 shrink-0 text-muted" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </li>
  );
}
