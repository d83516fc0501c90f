import { Dotted } from "../../ui/text/dotted.tsx";
import { RecentDay, RelativeTime } from "../../ui/text/relative-time.tsx";
import { ShortLink } from "../../ui/text/short-link.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { useScopeText } from "./scope-text.ts";
import { isAppScope } from "./scopes.ts";

/** An app that knows a user. */
export type ShownApp = {
  clientId: string;
  name: string;
  /** Its start page. */
  uri: string | null;
  logo: string | null;
  /** True for an app of the operator, which people are not asked about. */
  isUnasked: boolean;
  /** When the user last said yes to it. */
  allowedAt: Date | null;
  /** When it last got a token. */
  usedAt: Date | null;
  scopes: string[];
  /** Names of the organizations that it was told of. */
  organizations: string[];
};

/** Name, start page, times of an app and what it knows of a user. */
export function AppFacts({ shown, now }: { shown: ShownApp; now: Date }) {
  const { t } = useTranslation("connected-apps");
  const textOf = useScopeText();
  const { name, uri, isUnasked, allowedAt, usedAt, scopes, organizations } = shown;
  return (
    <div className="grid min-w-0 grow basis-40 grid-cols-1 gap-1 wrap-anywhere">
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <bdi className="font-medium">{name}</bdi>
        {uri && (
          <a
            href={uri}
            rel="noreferrer"
            className="min-w-0 underline-offset-4 hover:underline max-sm:py-1"
          >
            <ShortLink link={uri} />
          </a>
        )}
      </span>
      <span className="text-muted">
        <Dotted>
          {scopes.map((scope) => (
            <span key={scope}>{isAppScope(scope) ? t(`own.knows.${scope}`) : textOf(scope)}</span>
          ))}
        </Dotted>
      </span>
      {organizations.map((one) => (
        <span key={one} className="text-muted">
          <WithOwnText text={(value) => t("own.toldOf", { name: value })} value={one} />
        </span>
      ))}
      <span className="text-muted">
        <Dotted>
          {allowedAt && (
            <span>
              {t("own.allowed")} <RecentDay date={allowedAt} now={now} />
            </span>
          )}
          {!allowedAt && isUnasked && <span>{t("own.unasked")}</span>}
          {usedAt && (
            <span>
              {t("own.lastUsed")} <RelativeTime date={usedAt} now={now} />
            </span>
          )}
        </Dotted>
      </span>
    </div>
  );
}
