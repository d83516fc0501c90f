import type { ReactNode } from "react";
import { Link } from "react-router";
import { Breadcrumb } from "../ui/screen-header.tsx";
import { useTranslation } from "../ui/translation.tsx";
import { BackLink } from "./back-link.tsx";

type ListBreadcrumbProps = {
  /** URL of the list; its search and filters are kept. */
  to: string;
  /** Title of the list. */
  title: string;
  /** The screen between the list and this one. */
  above?: { to: string; name: string };
  /** Name of this screen. */
  children: ReactNode;
};

/** The way from a list to a screen of one of its rows. */
export function ListBreadcrumb({ to, title, above, children }: ListBreadcrumbProps) {
  const { t } = useTranslation();
  const list = (
    <BackLink key="list" to={to} className="">
      {title}
    </BackLink>
  );
  const current = (
    <bdi key="current" aria-current="page" className="min-w-0 truncate">
      {children}
    </bdi>
  );
  return (
    <Breadcrumb label={t("breadcrumb")}>
      {above
        ? [
            list,
            <Link key="above" to={above.to} className="min-w-0 truncate">
              <bdi>{above.name}</bdi>
            </Link>,
            current,
          ]
        : [list, current]}
    </Breadcrumb>
  );
}
