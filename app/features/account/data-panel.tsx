import { proveFirst } from "../../http/unproved.ts";
import { ClosableLink } from "../../ui/feedback/closed.tsx";
import { buttonClass } from "../../ui/forms/button.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

/** Link to download all data about the user. */
export function DataPanel({ path }: { path: string }) {
  const { t } = useTranslation("account");
  return (
    <Panel title={t("data.title")} intro={t("data.intro")}>
      <div>
        {/* Without `download`, because a screen that asks for a code may come first. Not discovered: it is no screen. */}
        <ClosableLink
          to={path}
          reloadDocument
          discover="none"
          onClick={(event) => {
            event.preventDefault();
            proveFirst(() => location.assign(path));
          }}
          className={buttonClass("secondary", "", true)}
        >
          <Icon name="download" className="size-4" />
          {t("data.download")}
        </ClosableLink>
      </div>
    </Panel>
  );
}
