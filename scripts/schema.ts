// npm run schema: writes docs/schema.sql, the database after all migrations.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { printSchema } from "./schema/print.ts";

writeFileSync(resolve(import.meta.dirname, "../docs/schema.sql"), printSchema());
