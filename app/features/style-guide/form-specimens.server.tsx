import { Notice } from "../../ui/feedback/notice.tsx";
import { CheckField } from "../../ui/forms/check-field.tsx";
import { ChoiceField } from "../../ui/forms/choice-field.tsx";
import { ConflictNotice } from "../../ui/forms/conflict-notice.tsx";
import { DatePicker } from "../../ui/forms/date-picker.tsx";
import { Field, TextField } from "../../ui/forms/field.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { IntentButton } from "../../ui/forms/intent-button.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { ActionMenu, ActionMenuItem } from "../../ui/overlays/action-menu.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { Menu } from "../../ui/overlays/menu.tsx";
import { Badge } from "../../ui/text/badge.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { Labelled } from "../../ui/text/labelled.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { EMAIL } from "./samples.ts";
import type { Specimen } from "./specimen.ts";
import { FixedFrame, OpenFrame, Row, State } from "./specimen-frame.tsx";

/** The controls of forms, and what forms say. */
export const FORM_SPECIMENS: Record<string, Specimen> = {
  field: () => <Fields />,
  "check-field": () => <Checks />,
  "choice-field": () => <Choices />,
  select: () => <Selects />,
  "date-picker": () => <Dates />,
  labelled: () => <LabelledValue />,
  notice: () => <Notices />,
  "form-errors": () => <FormErrors errors={["validation:email.invalid"]} />,
  "conflict-notice": () => <Conflict />,
  menu: () => <Actions />,
  "menu, open": () => (
    <OpenFrame height="12rem" className="text-end">
      <Actions />
    </OpenFrame>
  ),
  "action-menu": () => <MenuWithQuestion />,
  "action-menu, open": () => (
    <OpenFrame height="12rem" className="text-end">
      <MenuWithQuestion />
    </OpenFrame>
  ),
  "confirm-drawer": () => <Questions />,
  "confirm-drawer, open": () => <OpenQuestions />,
};

function Fields() {
  const { t } = useTranslation("dev");
  const { t: login } = useTranslation("login");
  const label = login("email");
  return (
    <>
      <State name="placeholder">
        <TextField name="empty" label={label} errors={[]} placeholder={EMAIL} />
      </State>
      <State name="hint">
        <TextField
          name="hint"
          label={label}
          hint={t("ui.sentence")}
          errors={[]}
          defaultValue={EMAIL}
        />
      </State>
      <State name="errors">
        <TextField
          name="refused"
          label={label}
          errors={["validation:email.invalid"]}
          defaultValue="lina"
        />
      </State>
      <State name="disabled">
        <TextField name="closed" label={label} errors={[]} defaultValue={EMAIL} disabled />
      </State>
    </>
  );
}

function Checks() {
  const { t } = useTranslation("dev");
  const label = t("ui.word");
  return (
    <>
      <State name="hint">
        <CheckField name="unchecked" label={label} hint={t("ui.sentence")} />
      </State>
      <State name="defaultChecked">
        <CheckField name="checked" label={label} defaultChecked />
      </State>
      <State name="errors">
        <CheckField name="unaccepted" label={label} errors={["validation:terms.required"]} />
      </State>
    </>
  );
}

function Choices() {
  const { t } = useTranslation("dev");
  const { t: common } = useTranslation();
  return (
    <ChoiceField
      name="radio"
      label={common("theme.choose")}
      value="light"
      choices={(["light", "dark"] as const).map((theme) => ({
        value: theme,
        label: common(`theme.${theme}`),
        hint: t("ui.sentence"),
        badge: theme === "dark" && <Badge tone="border-line bg-sunken">{t("ui.word")}</Badge>,
      }))}
    />
  );
}

function Selects() {
  const { t } = useTranslation();
  return [false, true].map((isSmall) => (
    <State key={String(isSmall)} name={isSmall ? "isSmall" : "select"}>
      <Field name={isSmall ? "small" : "choice"} label={t("theme.choose")} errors={[]}>
        {(control) => (
          <Select {...control} isSmall={isSmall}>
            <option>{t("theme.light")}</option>
            <option>{t("theme.dark")}</option>
          </Select>
        )}
      </Field>
    </State>
  ));
}

function Dates() {
  const { t } = useTranslation();
  const label = t("datePicker.pick");
  return ["", "2026-11-21"].map((day) => (
    <State key={day} name={day ? "defaultValue" : "placeholder"}>
      <Field name={`day-${day}`} label={label} errors={[]}>
        {(control) => (
          <DatePicker
            {...control}
            label={label}
            first="2026-01-01"
            last="2027-12-31"
            today="2026-11-21"
            defaultValue={day}
          />
        )}
      </Field>
    </State>
  ));
}

function LabelledValue() {
  const { t } = useTranslation();
  return (
    <p>
      <Labelled label={t("theme.choose")}>{t("theme.dark")}</Labelled>
    </p>
  );
}

function Notices() {
  const { t } = useTranslation("dev");
  const { t: common } = useTranslation();
  const undo = <IntentButton intent="undo">{common("actions.undo")}</IntentButton>;
  return (["info", "success", "warning", "error"] as const).map((kind) => (
    <State key={kind} name={kind === "warning" ? "warning, action" : kind}>
      <Notice kind={kind} action={kind === "warning" && undo}>
        {t("ui.sentence")}
      </Notice>
    </State>
  ));
}

function Conflict() {
  const { t } = useTranslation("login");
  const field = { label: t("email"), theirs: EMAIL, yours: "lina@example.org" };
  return <ConflictNotice fields={[field]} discardHref="." />;
}

function Actions() {
  const { t } = useTranslation();
  return (
    <div>
      <Menu label={t("actions.edit")} trigger={<Icon name="ellipsis" />}>
        <button type="button" className="menu-item">
          <Icon name="pencil" className="size-4" />
          {t("actions.edit")}
        </button>
        <button type="button" className="menu-item text-danger">
          <Icon name="trash-2" className="size-4" />
          {t("actions.delete")}
        </button>
      </Menu>
    </div>
  );
}

function MenuWithQuestion() {
  const { t } = useTranslation("dev");
  const { t: common } = useTranslation();
  return (
    <form>
      <ActionMenu
        label={common("list.actions")}
        isFramed
        questions={[
          {
            intent: "delete",
            icon: "trash-2",
            title: common("actions.delete"),
            text: t("ui.sentence"),
            isDestructive: true,
          },
        ]}
      >
        <ActionMenuItem icon="pencil">{common("actions.edit")}</ActionMenuItem>
      </ActionMenu>
    </form>
  );
}

function Questions() {
  const { t } = useTranslation("dev");
  const { t: common } = useTranslation();
  const text = t("ui.sentence");
  return (
    <Row>
      <State name="trigger">
        <ConfirmDrawer trigger={common("actions.save")} text={text} intent="save" />
      </State>
      <State name="icon, isDestructive">
        <div>
          <ConfirmDrawer
            trigger={common("actions.delete")}
            icon="trash-2"
            text={text}
            intent="delete"
            isDestructive
          />
        </div>
      </State>
    </Row>
  );
}

function OpenQuestions() {
  const { t } = useTranslation("dev");
  const { t: common } = useTranslation();
  return (["save", "delete"] as const).map((intent) => (
    <State key={intent} name={intent === "delete" ? "icon, isDestructive" : "trigger"}>
      <FixedFrame height="23rem" className="p-4 md:[&_.confirm-drawer]:w-96!">
        <ConfirmDrawer
          trigger={common(`actions.${intent}`)}
          icon={intent === "delete" ? "trash-2" : undefined}
          isDestructive={intent === "delete"}
          text={t("ui.sentence")}
          intent={intent}
          refused={{}}
        />
      </FixedFrame>
    </State>
  ));
}
