import { href, Link } from "react-router";
import { Formatted } from "../../ui/text/formatted.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import type { Trouble } from "./troubles.ts";

/** The panel of the set-up steps on the system page. */
export const SET_UP_ID = "set-up";

/** List items of what does not work, for the dashboard; each leads to the page that says more. */
export function TroubleItems({ troubles }: { troubles: Trouble[] }) {
  const { t } = useTranslation("manager");
  return troubles.map((trouble) => (
    <li key={trouble}>
      <Link
        to={
          trouble === "webhook"
            ? href("/manager/settings/webhooks")
            : href("/manager/settings/system")
        }
        className="flex min-h-control items-center gap-2 rounded-md border border-line-button px-3 transition-colors duration-150 hover:bg-fill"
      >
        <Icon name="octagon-x" className="size-4 shrink-0 text-danger" />
        {t(`trouble.${trouble}`)}
      </Link>
    </li>
  ));
}

/** List item that counts the open set-up steps and leads to them. */
export function SetUpItem({ count }: { count: number }) {
  const { t } = useTranslation("manager");
  const formatted = useFormat().number(count);
  return (
    <li>
      <Link
        to={`${href("/manager/settings/system")}#${SET_UP_ID}`}
        className="flex min-h-control items-center gap-2 rounded-md border border-line-button px-3 transition-colors duration-150 hover:bg-fill"
      >
        <Icon name="triangle-alert" className="size-4 shrink-0 text-warning" />
        <Formatted>{t("dashboard.attention.setUp", { count, formatted })}</Formatted>
      </Link>
    </li>
  );
}
