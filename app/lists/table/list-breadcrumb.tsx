import type { ReactNode } from "react";
import { Breadcrumb, BreadcrumbLink } from "../../ui/layout/screen-header.tsx";
import { BackLink } from "./back-link.tsx";

type ListBreadcrumbProps = {
  /** URL of the list; its search and filters are kept. */
  to: string;
  /** Text of the link to the list: its title. */
  title: ReactNode;
  /** The screen between the list and this one. */
  above?: { to: string; name: string };
};

/** Links from the screen of a list's row to the list. */
export function ListBreadcrumb({ to, title, above }: ListBreadcrumbProps) {
  const list = (
    <BackLink key="list" to={to} className="">
      {title}
    </BackLink>
  );
  if (!above) return <Breadcrumb>{[list]}</Breadcrumb>;
  return (
    <Breadcrumb>
      {[
        list,
        <BreadcrumbLink key="above" to={above.to}>
          {above.name}
        </BreadcrumbLink>,
      ]}
    </Breadcrumb>
  );
}
