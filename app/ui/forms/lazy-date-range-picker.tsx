import { type ComponentProps, type ComponentType, lazy, Suspense } from "react";
import type { DateRangePicker as Picker } from "./date-range-picker.tsx";

const loadPicker = () =>
  import("./date-range-picker.tsx").then(({ DateRangePicker }) => ({ default: DateRangePicker }));

/**
 * The filters of a list are closed at first, so the browser loads the picker's code after the first
 * paint. The server has it at once: without scripts, what it draws is all there is.
 */
const DateRangePicker: ComponentType<ComponentProps<typeof Picker>> = import.meta.env.SSR
  ? (await loadPicker()).default
  : lazy(loadPicker);

export function LazyDateRangePicker(props: ComponentProps<typeof Picker>) {
  return (
    <Suspense>
      <DateRangePicker {...props} />
    </Suspense>
  );
}
