import { useKeptParams } from "../query/list-url.ts";

/** Hidden fields that keep the list's other params when a form of the list is sent. */
export function KeptParams({ fields }: { fields: readonly string[] }) {
  return useKeptParams(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}
