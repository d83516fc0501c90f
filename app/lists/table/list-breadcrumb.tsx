import type { ReactNode } from "react";
import { Breadcrumb, BreadcrumbLink } from "../../ui/layout/screen-header.tsx";
import { BackLink } from "./back-link.tsx";

type ListBreadcrumbProps = {
  /** URL of the list; its search and filters are kept. */
  to: string;
  /** Text of the link to the list: its title. */
  title: ReactNode;
  /** What the list belongs to. */
  of?: { to: string; name: string };
  /** The screen between the list and this one. */
  above?: { to: string; name: string };
};

/** Links from the screen of a list's row to the list. */
export function ListBreadcrumb({ to, title, of, above }: ListBreadcrumbProps) {
  const list = (
    <BackLink key="list" to={to} className="">
      {title}
    </BackLink>
  );
  const link = (key: string, { to: path, name }: { to: string; name: string }) => (
    <BreadcrumbLink key={key} to={path}>
      {name}
    </BreadcrumbLink>
  );
  return (
    <Breadcrumb>
      {[...(of ? [link("of", of)] : []), list, ...(above ? [link("above", above)] : [])]}
    </Breadcrumb>
  );
}
