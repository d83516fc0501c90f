// npm run schema: writes docs/schema.sql, the database after all migrations, and the permissions in the types for other
// Workers.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { PERMISSION_TYPES, withPermissionTypes } from "./schema/permission-types.ts";
import { printSchema } from "./schema/print.ts";

const ROOT = resolve(import.meta.dirname, "..");

writeFileSync(resolve(ROOT, "docs/schema.sql"), printSchema());
const types = resolve(ROOT, PERMISSION_TYPES);
// The examples are gone where a project did not keep them.
if (existsSync(types)) writeFileSync(types, withPermissionTypes(readFileSync(types, "utf8")));
