import { Link } from "react-router";
import { Dotted } from "../../ui/text/dotted.tsx";
import { LocalTime, RecentDay, RelativeTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { type ProgramPermissions, scopesIn } from "../access/scopes.ts";

export type ShownKey = {
  id: string;
  name: string;
  /** First characters of the key itself. */
  start: string;
  permissions: ProgramPermissions;
  userId: string;
  maker: string;
  organization: string | null;
  createdAt: Date;
  expiresAt: Date;
  lastRequest: Date | null;
  revokedAt: Date | null;
  /** Name of who revoked it, if the reader may know. */
  revokedBy: string | null;
  isRevokedByManager: 0 | 1;
};

type ApiKeyFactsProps = {
  shown: ShownKey;
  /** True in an organization's list, which says who made the key. */
  isShared?: boolean;
  /** The key's screen, which its owners can open. */
  to?: string;
  now: Date;
};

/** Name, permissions and times of a key. */
export function ApiKeyFacts({ shown, isShared = false, to, now }: ApiKeyFactsProps) {
  const { t } = useTranslation("api-keys");
  const { i18n } = useTranslation("scopes");
  const { name, start, permissions, organization, createdAt, lastRequest } = shown;
  const isOfOrganization = organization !== null;
  // A permission of a feature that was taken out opens nothing.
  const scopes = scopesIn(permissions).filter((scope) =>
    i18n.exists(isOfOrganization ? `api-keys:sharedScopes.${scope}` : `scopes:${scope}`),
  );
  return (
    <div className="grid min-w-0 grow basis-40 gap-1 wrap-anywhere">
      <span className="flex flex-wrap gap-x-2">
        {to === undefined ? (
          <bdi className="font-medium">{name}</bdi>
        ) : (
          <Link to={to} className="font-medium text-accent-ink underline-offset-4 hover:underline">
            <bdi>{name}</bdi>
          </Link>
        )}
        <code dir="ltr" className="text-muted">
          {start}…
        </code>
      </span>
      <span className="text-muted">
        <Dotted>
          {scopes.map((scope) => (
            <ScopeText key={scope} scope={scope} isOfOrganization={isOfOrganization} />
          ))}
        </Dotted>
      </span>
      {isShared && (
        <span className="text-muted">
          <WithOwnText text={(value) => t("by", { name: value })} value={shown.maker} />
        </span>
      )}
      {!isShared && organization !== null && (
        <span className="text-muted">
          <WithOwnText text={(value) => t("for", { name: value })} value={organization} />
        </span>
      )}
      <span className="text-muted">
        <Dotted>
          <span>
            {t("created")} <RecentDay date={createdAt} now={now} />
          </span>
          {lastRequest ? (
            <span>
              {t("lastUsed")} <RelativeTime date={lastRequest} now={now} />
            </span>
          ) : (
            t("notUsed")
          )}
          <KeyEnd {...shown} now={now} />
        </Dotted>
      </span>
      {shown.revokedBy !== null && (
        <span className="text-danger">
          <WithOwnText text={(value) => t("revokedBy", { name: value })} value={shown.revokedBy} />
        </span>
      )}
      {shown.isRevokedByManager === 1 && (
        <span className="text-danger">{t("revokedByManager")}</span>
      )}
    </div>
  );
}

function KeyEnd({
  revokedAt,
  expiresAt,
  now,
}: Pick<ShownKey, "revokedAt" | "expiresAt"> & { now: Date }) {
  const { t } = useTranslation("api-keys");
  const label = revokedAt ? "revokedAt" : expiresAt <= now ? "ended" : "ends";
  return (
    <span className={label === "ends" ? undefined : "text-danger"}>
      {t(label)} <LocalTime date={revokedAt ?? expiresAt} />
    </span>
  );
}

/** What a permission lets a key do. */
export function ScopeText({
  scope,
  isOfOrganization,
}: {
  scope: string;
  isOfOrganization: boolean;
}) {
  const { t } = useTranslation("api-keys");
  const { t: textOf } = useTranslation("scopes");
  // The features with the calls have the texts too. A test proves that each scope has one.
  return isOfOrganization ? t(`sharedScopes.${scope}` as "title") : textOf(scope as "audit.read");
}
