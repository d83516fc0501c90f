import type { ReactNode } from "react";
import { useTranslation } from "./translation.tsx";

/** A label and its value on one line, with the punctuation of the reader's language between them. */
export function Labelled({ label, children }: { label: ReactNode; children: ReactNode }) {
  const { t } = useTranslation();
  const [before, between, after] = t("labelled", { label: "\0", value: "\0" }).split("\0");
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
