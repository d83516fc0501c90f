import { href, Link } from "react-router";
import { useTranslation } from "../../ui/translation.tsx";
import type { Party } from "./audit-log.server.ts";

/** Shows a name with a link to its screen. Something deleted shows its last known name, or else its id. */
export function PartyName({ party }: { party: Party }) {
  const { t } = useTranslation("logs");
  const { id, name, email, isThere } = party;
  const path = isThere ? pathOf(party) : undefined;
  const label = <bdi className={name ? "" : "font-mono text-xs"}>{name ?? id}</bdi>;
  if (path) {
    return (
      <Link className="underline-offset-4 hover:underline" to={path} title={email}>
        {label}
      </Link>
    );
  }
  return (
    <span>
      {label} {!isThere && <span className="text-xs text-muted">{t("audit.gone")}</span>}
    </span>
  );
}

/** Returns the URL of the screen about a party; undefined when it has none. */
export function pathOf({ type, id, email }: Party): string | undefined {
  if (type === "user") return href("/manager/users/:id", { id });
  if (type === "organization") return href("/manager/organizations/:id", { id });
  if (type === "repository") return href("/manager/repositories/:id", { id });
  if (type === "mail" && email) {
    return `${href("/manager/mail")}?${new URLSearchParams({ searchTerm: email })}`;
  }
  return undefined;
}
