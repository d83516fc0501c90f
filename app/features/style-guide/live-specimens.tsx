import { lazy, type ReactNode, Suspense, useState } from "react";
import { TOAST_KINDS, type Toast } from "../../ui/feedback/toast-kinds.ts";
import { FlashToast } from "../../ui/feedback/toasts.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { DatePicker } from "../../ui/forms/date-picker.tsx";
import { DateRangePicker } from "../../ui/forms/date-range-picker.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { SidebarButton, SidebarDrawer } from "../../ui/layout/sidebar.tsx";
import { useIsHydrated } from "../../ui/layout/use-is-hydrated.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useSampleScreens } from "./sample-screens.ts";
import type { Specimen } from "./specimen.ts";
import { FixedFrame, OpenFrame, State } from "./specimen-frame.tsx";

const LastingToast = lazy(async () => {
  // The server never draws it, so its bundle leaves the code out.
  if (import.meta.env.SSR) return { default: () => null };
  return import("./lasting-toast.tsx");
});

/** On a phone a calendar opens as a sheet. This keeps it inside its frame, over a dimmed page. */
const SHEET =
  "max-sm:relative max-sm:m-0 max-sm:rounded-none max-sm:before:absolute max-sm:before:inset-0 max-sm:before:bg-[rgb(0_0_0/0.4)] max-sm:[&_.menu-panel]:border!";

/** The primitives that only a script draws. The browser renders them as on any screen. */
export const LIVE_SPECIMENS: Record<string, Specimen> = {
  calendar: () => <CalendarField name="live-day" />,
  "calendar, open": () => (
    <OpenFrame height="37rem" className={SHEET}>
      <Opened>
        <CalendarField name="open-day" isShown />
      </Opened>
    </OpenFrame>
  ),
  "date-range-picker": () => <RangeField name="live" />,
  "date-range-picker, open": () => (
    <OpenFrame height="39rem" className={SHEET}>
      <Opened>
        <RangeField name="open" isShown />
      </Opened>
    </OpenFrame>
  ),
  toaster: () => <Toasts />,
  "toaster, open": () => (
    <>
      {TOAST_KINDS.map((kind) => (
        <State key={kind} name={kind}>
          <FixedFrame height="5.25rem" className="-mx-4 -mt-2 -mb-5 max-w-97">
            <Opened>
              <Suspense>
                <LastingToast kind={kind} />
              </Suspense>
            </Opened>
          </FixedFrame>
        </State>
      ))}
    </>
  ),
  "sidebar, on a phone": () => <PhoneNavigation />,
};

/** What is open from the beginning. It is inert, so that a calendar cannot take the focus as it does after a click. */
function Opened({ children }: { children: ReactNode }) {
  const isHydrated = useIsHydrated();
  return <div inert>{isHydrated && children}</div>;
}

type PickerProps = {
  name: string;
  isShown?: boolean;
};

function CalendarField({ name, isShown }: PickerProps) {
  const { t } = useTranslation();
  const label = t("datePicker.pick");
  return (
    <Field name={name} label={label} errors={[]}>
      {(control) => (
        <DatePicker
          {...control}
          label={label}
          first="2026-11-05"
          last="2027-12-31"
          today="2026-11-21"
          defaultValue="2026-11-23"
          isShown={isShown}
        />
      )}
    </Field>
  );
}

function RangeField({ name, isShown }: PickerProps) {
  const { t } = useTranslation();
  return (
    <form className="max-w-64" onSubmit={(event) => event.preventDefault()}>
      <DateRangePicker
        label={t("list.days.custom")}
        text={undefined}
        names={{ from: `${name}-from`, to: `${name}-to` }}
        value={{ from: "2026-11-03", to: "2026-11-12" }}
        first="2000-01-01"
        last="2026-11-21"
        today="2026-11-21"
        isShown={isShown}
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
