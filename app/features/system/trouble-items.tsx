import { href } from "react-router";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { AttentionItem, type AttentionItemProps } from "../access/attention-item.tsx";
import type { Trouble } from "./troubles.ts";

/** The panel of the set-up steps on the system page. */
export const SET_UP_ID = "set-up";

type Place = Pick<AttentionItemProps, "permission" | "to">;

const SYSTEM: Place = { permission: ["system", "read"], to: href("/manager/settings/system") };
const WEBHOOKS: Place = {
  permission: ["settings", "read"],
  to: href("/manager/settings/webhooks"),
};

export type TroublesProps = {
  troubles: Trouble[];
  /** The host of a webhook whose maker left. */
  leftWebhook: string | null;
};

/** List items of what does not work, for the dashboard; each leads to the page that says more. */
export function TroubleItems({ troubles, leftWebhook }: TroublesProps) {
  const { t } = useTranslation("manager");
  return troubles.map((trouble) => (
    <AttentionItem
      key={trouble}
      {...(trouble === "webhook" || trouble === "webhook-maker" ? WEBHOOKS : SYSTEM)}
      icon={{ name: "octagon-x", tone: "text-danger" }}
    >
      {t(`trouble.${trouble}`, { receiver: isolate(leftWebhook ?? "") })}
    </AttentionItem>
  ));
}

/** List item that counts the open set-up steps and leads to them. */
export function SetUpItem({ count }: { count: number }) {
  const { t } = useTranslation("manager");
  return (
    <AttentionItem
      {...SYSTEM}
      to={`${SYSTEM.to}#${SET_UP_ID}`}
      icon={{ name: "triangle-alert", tone: "text-warning" }}
    >
      {t("dashboard.attention.setUp", { count, formatted: useFormat().number(count) })}
    </AttentionItem>
  );
}
