import { useState } from "react";
import { FilterDays } from "../../lists/filters/filter-days.tsx";
import { FilterOptions } from "../../lists/filters/filters.tsx";
import type { ListState } from "../../lists/query/list-state.ts";
import { DataList } from "../../lists/table/data-list.tsx";
import { Closable, ClosableLink } from "../../ui/feedback/closed.tsx";
import { TOAST_KINDS, type Toast } from "../../ui/feedback/toast-kinds.ts";
import { FlashToast } from "../../ui/feedback/toasts.tsx";
import { Button, buttonClass } from "../../ui/forms/button.tsx";
import { CheckField } from "../../ui/forms/check-field.tsx";
import { ChoiceField } from "../../ui/forms/choice-field.tsx";
import { ConflictNotice } from "../../ui/forms/conflict-notice.tsx";
import { DatePicker } from "../../ui/forms/date-picker.tsx";
import { DateRangePicker } from "../../ui/forms/date-range-picker.tsx";
import { DayField } from "../../ui/forms/day-field.tsx";
import { Field, TextField } from "../../ui/forms/field.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { MomentField } from "../../ui/forms/moment-field.tsx";
import { MoneyField } from "../../ui/forms/money-field.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { ActionMenu, ActionMenuItem } from "../../ui/overlays/action-menu.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { Menu } from "../../ui/overlays/menu.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { EMAIL, NOW, SENTENCE, type Story } from "./samples.ts";

/** What is used: the controls of forms, menus and questions, toasts, and a list. */
export const CONTROL_STORIES: Record<string, Story> = {
  field: () => (
    <>
      <TextField name="empty" label="Placeholder" errors={[]} placeholder={EMAIL} />
      <TextField name="hint" label="Hint" hint={SENTENCE} errors={[]} defaultValue={EMAIL} />
      <TextField name="wrong" label="Errors" errors={["validation:email.invalid"]} />
      <TextField name="closed" label="Disabled" errors={[]} defaultValue={EMAIL} disabled />
    </>
  ),
  "check-field": () => (
    <>
      <CheckField name="unchecked" label="Hint" hint={SENTENCE} />
      <CheckField name="checked" label="Checked" defaultChecked />
      <CheckField name="refused" label="Errors" errors={["validation:terms.required"]} />
    </>
  ),
  "choice-field": () => (
    <ChoiceField
      name="radio"
      label="Theme"
      value="light"
      choices={["light", "dark"].map((value) => ({ value, label: value, hint: SENTENCE }))}
    />
  ),
  select: () =>
    [false, true].map((isSmall) => (
      <Field key={String(isSmall)} name={`select-${isSmall}`} label="Theme" errors={[]}>
        {(control) => (
          <Select {...control} isSmall={isSmall}>
            <option>Light</option>
            <option>Dark</option>
          </Select>
        )}
      </Field>
    )),
  "date-picker": () => (
    <Field name="day" label="Day" errors={[]}>
      {(control) => (
        <DatePicker
          {...control}
          label="Day"
          first="2026-11-05"
          last="2027-12-31"
          today="2026-11-21"
          defaultValue="2026-11-23"
        />
      )}
    </Field>
  ),
  "date-range-picker": () => (
    <form className="w-64" onSubmit={(event) => event.preventDefault()}>
      <DateRangePicker
        label="Days"
        text={undefined}
        names={{ from: "from", to: "to" }}
        value={{ from: "2026-11-03", to: "2026-11-12" }}
        first="2000-01-01"
        last="2026-11-21"
        today="2026-11-21"
      />
    </form>
  ),
  "money-field": () => (
    <>
      <MoneyField name="price" label="Price" hint={SENTENCE} errors={[]} value="1,234.50,EUR" />
      <MoneyField name="total" label="Total" errors={["validation:generic.required"]} value="" />
    </>
  ),
  "day-field": () => (
    <>
      <DayField name="due" label="Due" hint={SENTENCE} errors={[]} value="2026-12-24" />
      <DayField
        name="paid"
        label="Paid"
        errors={["validation:generic.required"]}
        value={undefined}
        required
      />
    </>
  ),
  "moment-field": () => (
    <>
      <MomentField name="sent" label="Sent" hint={SENTENCE} errors={[]} value={NOW} />
      <MomentField
        name="opened"
        label="Opened"
        errors={["validation:generic.required"]}
        value={undefined}
        required
      />
    </>
  ),
  closed: () =>
    [false, true].map((isClosed) => (
      <Closable key={String(isClosed)} isClosed={isClosed}>
        <ClosableLink to="." className={buttonClass("secondary")}>
          {isClosed ? "Closed" : "Open"}
        </ClosableLink>
      </Closable>
    )),
  "form-errors": () => <FormErrors errors={["validation:email.invalid"]} />,
  "conflict-notice": () => (
    <ConflictNotice
      fields={[{ label: "E-mail", theirs: EMAIL, yours: "lina@example.org" }]}
      discardHref="."
    />
  ),
  menu: () => (
    <Menu label="Edit" trigger={<Icon name="ellipsis" />}>
      <button type="button" className="menu-item">
        Edit
      </button>
      <button type="button" className="menu-item text-danger">
        Delete
      </button>
    </Menu>
  ),
  "action-menu": () => (
    <ActionMenu
      label="Actions"
      isFramed
      questions={[
        {
          intent: "delete",
          icon: "trash-2",
          title: "Delete",
          text: SENTENCE,
          isDestructive: true,
        },
      ]}
    >
      <ActionMenuItem icon="pencil">Edit</ActionMenuItem>
    </ActionMenu>
  ),
  "confirm-drawer": () => (
    <>
      <ConfirmDrawer trigger="Save" text={SENTENCE} intent="save" />
      <ConfirmDrawer
        trigger="Delete"
        icon="trash-2"
        text={SENTENCE}
        intent="delete"
        isDestructive
      />
    </>
  ),
  toasts: () => <Toasts />,
  "data-list": () => (
    <div className="w-full">
      <People />
    </div>
  ),
};

function Toasts() {
  const [toast, setToast] = useState<Toast | undefined>(undefined);
  return (
    <>
      {TOAST_KINDS.map((kind) => (
        <Button
          key={kind}
          type="button"
          variant="secondary"
          onClick={() =>
            setToast({ id: crypto.randomUUID(), kind, message: "common:network.offline" })
          }
        >
          {kind}
        </Button>
      ))}
      <FlashToast toast={toast} />
    </>
  );
}

const PEOPLE = ["Lina Haddad", "زهراء الزين", "Zawadi Mwangi", "Amélie Étienne"];

const STATE: ListState = {
  searchTerm: "",
  sort: "name",
  direction: "asc",
  size: 25,
  notices: [],
  total: { count: 128, isCapped: false },
  shown: PEOPLE.length,
  more: { pages: "2" },
  isFirstPage: true,
};

function People() {
  return (
    <DataList
      label="data-list"
      columns={[
        { key: "name", label: "Name", sort: "name", card: "title", cell: (name) => name },
        { key: "email", label: "E-mail", card: "line", cell: () => <bdi>{EMAIL}</bdi> },
      ]}
      rows={PEOPLE}
      rowKey={(name) => name}
      state={STATE}
      filters={{ theme: "dark" }}
      emptyText={SENTENCE}
      toolbar={
        <>
          <FilterOptions
            name="theme"
            label="Theme"
            value="dark"
            options={[
              ["light", "Light"],
              ["dark", "Dark"],
            ]}
          />
          <FilterDays label="Due" to="2026-12-24" last="2027-12-31" />
        </>
      }
      rowMenu={{ nameOf: (name) => name, idOf: (name) => name }}
    />
  );
}
