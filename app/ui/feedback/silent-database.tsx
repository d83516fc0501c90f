import { useLocation } from "react-router";
import { Button } from "../forms/button.tsx";
import { useTranslation } from "../text/translation.tsx";
import { AutoRetryLink } from "./auto-retry-link.tsx";

/** A form that a browser without JavaScript has posted. */
type Posted = readonly (readonly [name: string, value: string])[];

/**
 * Content of the page for a database that does not answer. A page tries again by itself. A posted
 * form never does: it is kept here, and a person sends it again.
 */
export function SilentDatabase({ posted }: { posted: Posted | undefined }) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  return (
    <>
      <div className="grid gap-2">
        <p className="text-sm font-medium text-muted">503</p>
        <h1 className="text-xl font-semibold">{t("errors.silent")}</h1>
        <p className="text-muted">{t(posted ? "errors.silentForm" : "errors.silentText")}</p>
      </div>
      {posted ? (
        <form method="post" action={pathname + search}>
          {posted.map(([name, value], index) => (
            // A form may have several values of one name.
            // biome-ignore lint/suspicious/noArrayIndexKey: the posted fields never change
            <input key={index} type="hidden" name={name} value={value} />
          ))}
          <Button>{t("errors.sendAgain")}</Button>
        </form>
      ) : (
        <AutoRetryLink label={t("actions.tryAgain")} />
      )}
    </>
  );
}
