import type { ReactNode } from "react";
import { ScrollRegion } from "../layout/scroll-region.tsx";
import { Formatted } from "./formatted.tsx";
import { Icon } from "./icon.tsx";
import { useFormat } from "./use-format.ts";

type Permission = {
  key: string;
  name: ReactNode;
  /** Whether each role has it, in the order of the roles. */
  isAllowed: boolean[];
};

type PermissionTableProps = {
  label: string;
  roles: string[];
  groups: { key: string; title?: string; permissions: Permission[] }[];
  /** Title of the first column, and the cells for screen readers. */
  texts: { permission: string; allowed: string; notAllowed: string };
};

/**
 * Which role has which permission. A phone has no room for a column of each role: it names them
 * below the permission.
 */
export function PermissionTable({ label, roles, groups, texts }: PermissionTableProps) {
  return (
    <ScrollRegion label={label}>
      <table className="w-full text-sm">
        <thead className="max-sm:hidden">
          <tr className="border-b border-line text-muted">
            <th scope="col" className="py-2 text-start font-medium">
              {texts.permission}
            </th>
            {roles.map((role) => (
              <th
                key={role}
                scope="col"
                className="w-28 px-1 py-2 text-center font-medium wrap-normal"
              >
                {role}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ key, title, permissions }) => (
          <tbody key={key}>
            {title && (
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={roles.length + 1}
                  className="pt-5 pb-1 text-start font-semibold max-sm:in-[tbody:first-of-type]:pt-0"
                >
                  {title}
                </th>
              </tr>
            )}
            {permissions.map((permission) => (
              <PermissionRow
                key={permission.key}
                permission={permission}
                roles={roles}
                texts={texts}
              />
            ))}
          </tbody>
        ))}
      </table>
    </ScrollRegion>
  );
}

type PermissionRowProps = Pick<PermissionTableProps, "roles" | "texts"> & {
  permission: Permission;
};

function PermissionRow({ permission: { name, isAllowed }, roles, texts }: PermissionRowProps) {
  const format = useFormat();
  return (
    <tr className="border-b border-line last:border-0">
      <th scope="row" className="py-2 text-start font-normal wrap-normal">
        {name}
        <span className="mt-0.5 block text-xs text-muted sm:hidden">
          <Formatted>{format.list(roles.filter((_, index) => isAllowed[index]))}</Formatted>
        </span>
      </th>
      {roles.map((role, index) => (
        <td key={role} className="px-1 py-2 text-center max-sm:hidden">
          {isAllowed[index] ? (
            <Icon name="check" className="mx-auto size-4 text-accent-ink" />
          ) : (
            <span aria-hidden="true" className="text-muted">
              –
            </span>
          )}
          <span className="sr-only">{isAllowed[index] ? texts.allowed : texts.notAllowed}</span>
        </td>
      ))}
    </tr>
  );
}
