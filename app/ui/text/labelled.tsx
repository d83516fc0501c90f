import type { ReactNode } from "react";
import { aroundValues } from "./around-values.ts";
import { useTranslation } from "./translation.tsx";

/** A label and its value on one line, with the punctuation of the reader's language between them. */
export function Labelled({ label, children }: { label: ReactNode; children: ReactNode }) {
  const { t } = useTranslation();
  const [before, between, after] = aroundValues((value) => t("labelled", { label: value, value }));
  return (
    <>
      {before}
      {label}
      {between}
      {children}
      {after}
    </>
  );
}
