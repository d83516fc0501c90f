import { Form, href } from "react-router";
import { Button } from "../../ui/forms/button.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useCan } from "../access/use-can.tsx";
import { ApiKeyFacts, type ShownKey } from "./api-key-facts.tsx";

/** The API keys that a user has made, and buttons with which a manager revokes them. */
export function ManagedKeysPanel({
  userId,
  keys,
  now,
}: {
  userId: string;
  keys: ShownKey[];
  now: Date;
}) {
  const { t } = useTranslation("api-keys");
  const can = useCan();
  return (
    <Panel title={t("title")}>
      <ul className="-my-2 divide-y divide-line text-sm">
        {keys.map((key) => (
          <li key={key.id} className="flex items-start gap-3 py-2">
            <ApiKeyFacts shown={key} now={now} />
            {can("session", "revoke") && !key.revokedAt && (
              <Form
                method="post"
                action={href("/manager/users/:id/keys", { id: userId })}
                className="shrink-0"
              >
                <Button variant="secondary" isSmall name="key" value={key.id}>
                  {t("revoke")}
                  <span className="sr-only">
                    {" "}
                    <bdi>{key.name}</bdi>
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
