import { Link } from "react-router";
import { Icon } from "../../ui/text/icon.tsx";

type OrganizationLinksProps = { organizations: { name: string; to: string }[] };

/** Organizations that a repository is shared with, each a link to its screen. */
export function OrganizationLinks({ organizations }: OrganizationLinksProps) {
  return (
    <ul className="-my-1 grid text-sm">
      {organizations.map(({ name, to }) => (
        <li key={to} className="flex min-h-control min-w-0 items-center gap-2">
          <Icon name="building-2" className="size-4 shrink-0 text-muted" />
          <Link to={to} className="min-w-0 truncate underline-offset-4 hover:underline">
            <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
