import { Form } from "react-router";
import { Button } from "../../ui/forms/button.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

/** Whether the login page offers the list, and the button that changes it for managers who may. */
export function ListSwitch({ isOn, mayChange }: { isOn: boolean; mayChange: boolean }) {
  const { t } = useTranslation("waiting-list");
  return (
    <Panel isBeside title={t("title")} intro={t("switch.intro")}>
      <p className="text-sm font-medium">{t(isOn ? "switch.on" : "switch.off")}</p>
      {mayChange && (
        <Form method="post">
          <Button variant="secondary" name="intent" value={isOn ? "switch-off" : "switch-on"}>
            {t(isOn ? "switch.switchOff" : "switch.switchOn")}
          </Button>
        </Form>
      )}
    </Panel>
  );
}
