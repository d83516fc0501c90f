import { organizationStatements } from "../../app/features/access/organization-permissions.ts";
import { statements } from "../../app/features/access/permissions.ts";

/** The types with which another Worker asks the product; an example holds them. */
export const PERMISSION_TYPES = "examples/worker/gatehouse.d.ts";

const MARK = "// Written by `npm run schema`.\n";

/** Returns the file with the permissions of the tables below its mark. */
export function withPermissionTypes(source: string): string {
  const [before] = source.split(MARK);
  const types = [
    typeOf("Permission", "on the site", statements),
    typeOf("OrganizationPermission", "within an organization", organizationStatements),
  ];
  return [before, MARK, ...types].join("");
}

function typeOf(
  name: string,
  where: string,
  table: Readonly<Record<string, readonly string[]>>,
): string {
  const members = Object.entries(table).flatMap(([resource, actions]) =>
    actions.map((action) => `\n  | readonly ["${resource}", "${action}"]`),
  );
  return `\n/** What a user may do ${where}. */\nexport type ${name} =${members.join("")};\n`;
}
