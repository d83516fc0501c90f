import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { DatePicker } from "../../ui/date-picker.tsx";
import { DateRangePicker } from "../../ui/date-range-picker.tsx";
import { Field } from "../../ui/field.tsx";
import { SidebarButton, SidebarDrawer } from "../../ui/sidebar.tsx";
import { TOAST_KINDS, type Toast } from "../../ui/toast-kinds.ts";
import { FlashToast } from "../../ui/toasts.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useSampleScreens } from "./sample-screens.ts";
import { SpecimenFrame } from "./specimen-frame.tsx";

/** The primitives that only a script draws. The browser renders them as on any screen. */
export function LiveSpecimens() {
  return (
    <>
      <SpecimenFrame name="calendar">
        <CalendarField />
      </SpecimenFrame>
      <SpecimenFrame name="range of days">
        <RangeField />
      </SpecimenFrame>
      <SpecimenFrame name="toaster">
        <Toasts />
      </SpecimenFrame>
      <SpecimenFrame name="sidebar, on a phone">
        <PhoneNavigation />
      </SpecimenFrame>
    </>
  );
}

function CalendarField() {
  const { t } = useTranslation();
  const label = t("datePicker.pick");
  return (
    <Field name="live-day" label={label} errors={[]}>
      {(control) => (
        <DatePicker
          {...control}
          label={label}
          first="2026-11-05"
          last="2027-12-31"
          today="2026-11-21"
          defaultValue="2026-11-23"
        />
      )}
    </Field>
  );
}

function RangeField() {
  const { t } = useTranslation();
  return (
    <form className="max-w-64" onSubmit={(event) => event.preventDefault()}>
      <DateRangePicker
        label={t("list.days.custom")}
        text={undefined}
        names={{ from: "live-from", to: "live-to" }}
        value={{ from: "2026-11-03", to: "2026-11-12" }}
        first="2000-01-01"
        last="2026-11-21"
        today="2026-11-21"
      />
    </form>
  );
}

function Toasts() {
  const [toast, setToast] = useState<Toast | undefined>(undefined);
  return (
    <div className="flex flex-wrap gap-3">
      {TOAST_KINDS.map((kind) => (
        <Button
          key={kind}
          type="button"
          variant="secondary"
          onClick={() => setToast({ id: crypto.randomUUID(), kind, message: "dev:ui.sentence" })}
        >
          <span dir="ltr" translate="no">
            {kind}
          </span>
        </Button>
      ))}
      <FlashToast toast={toast} />
    </div>
  );
}

/** The button shows where the window is as narrow as a phone. */
function PhoneNavigation() {
  const { t } = useTranslation("dev");
  const { t: common } = useTranslation();
  const screens = useSampleScreens();
  return (
    <div className="min-h-11">
      <SidebarButton label={t("mails.title")} />
      <SidebarDrawer
        screens={screens}
        label={t("mails.title")}
        closeLabel={common("actions.close")}
      />
    </div>
  );
}
