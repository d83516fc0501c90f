import type { ReactNode } from "react";
import { ButtonLink } from "../forms/button.tsx";
import { Icon } from "../text/icon.tsx";

/**
 * The link of a list to the form for a new entry. A phone shows no plus, which leaves room beside
 * the title in each language.
 */
export function NewLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <ButtonLink isSmall to={to}>
      <Icon name="plus" className="size-4 max-sm:hidden" />
      {children}
    </ButtonLink>
  );
}
