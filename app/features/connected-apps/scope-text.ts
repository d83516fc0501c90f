import { useTranslation } from "../../ui/text/translation.tsx";
import { isAppScope } from "./scopes.ts";

/** Returns the function that says in words what a scope lets an app do. */
export function useScopeText(): (scope: string) => string {
  const { t } = useTranslation("connected-apps");
  const { t: ofCall, i18n } = useTranslation("scopes");
  return (scope) => {
    if (isAppScope(scope)) return t(`scopes.${scope}`);
    // The features with the calls have the texts too. A permission of one that was taken out opens nothing.
    return i18n.exists(`scopes:${scope}`) ? ofCall(scope as "audit.read") : scope;
  };
}
