import { generatePath, href, Link } from "react-router";
import { useTranslation } from "../../ui/text/translation.tsx";
import { THINGS } from "../access/things.ts";
import { useCan, useMay } from "../access/use-can.tsx";
import type { Party } from "./audit-event.ts";

/** Shows a name with a link to its screen. Something deleted shows its last known name, or else its id. */
export function PartyName({ party }: { party: Party }) {
  const { t } = useTranslation("logs");
  const { id, name, email, isThere } = party;
  const pathOf = usePartyPath();
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

/** Returns a function for the URL of the screen about a party; undefined when the reader has no such screen. */
export function usePartyPath(): (party: Party) => string | undefined {
  const can = useCan();
  const mayOpen = useMay();
  return ({ type, id, email }) => {
    if (type === "user" && can("user", "get")) return href("/manager/users/:id", { id });
    if (type === "organization" && can("organization", "read")) {
      return href("/manager/organizations/:id", { id });
    }
    if (type === "mail" && email && can("mail", "read")) {
      return `${href("/manager/mail")}?${new URLSearchParams({ searchTerm: email })}`;
    }
    const thing = THINGS[type];
    if (!thing || thing.isPrivate || !mayOpen(thing.needs)) return undefined;
    return generatePath(thing.to, { id });
  };
}
