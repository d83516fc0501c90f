import { Form, href } from "react-router";
import { Button } from "../../ui/forms/button.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useCan } from "../access/use-can.tsx";
import { AppFacts, type ShownApp } from "./app-facts.tsx";
import { AppLogo } from "./app-logo.tsx";

type AppsOfUserProps = { userId: string; apps: ShownApp[]; now: Date };

/** The apps that know a user, and buttons with which a manager ends that. */
export function AppsOfUserPanel({ userId, apps, now }: AppsOfUserProps) {
  const { t } = useTranslation("connected-apps");
  const can = useCan();
  return (
    <Panel title={t("own.title")}>
      <ul className="-my-2 divide-y divide-line text-sm">
        {apps.map((app) => (
          <li key={app.clientId} className="flex items-start gap-3 py-2">
            <AppLogo {...app} />
            <AppFacts shown={app} now={now} />
            {can("session", "revoke") && (
              <Form
                method="post"
                action={href("/manager/users/:id/apps", { id: userId })}
                className="shrink-0"
              >
                <Button variant="secondary" isSmall name="app" value={app.clientId}>
                  {t("own.end")}
                  <span className="sr-only">
                    {" "}
                    <bdi>{app.name}</bdi>
                  </span>
                </Button>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
