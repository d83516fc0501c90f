import type { Blocks } from "./render.ts";
import {
  type Field,
  type FieldType,
  type Referred,
  type Subject,
  snakeOf,
  titleOf,
} from "./subject.ts";

/** What code says of a field, by its type. */
type Piece = {
  /** Drizzle's column, without what every column has. */
  column: string;
  helper?: string;
  sql: string;
  /** Type of a row's value in TypeScript, and in a test's row. */
  type: string;
  testType: string;
  /** The schema of a form's value. */
  input: string;
  builder: string;
  limit?: string;
  /** Its value as its form shows it. */
  typed: string;
  /** The schema of a program's answer, and of what it sends where a form sends something else. */
  answer: string;
  sent?: string;
  /** The answer's value. */
  answered: string;
  /** A test's value: stored, typed and sent. */
  samples: { stored: string; typed: string; sent: string };
};

const quoted = (text: string) => JSON.stringify(text);

function pieceOf(field: Field, subject: Subject): Piece {
  const { name, type, isRequired } = field;
  const column = snakeOf(name);
  const nullable = (text: string) => (isRequired ? text : `${text} | null`);
  const row = `row.${name}`;
  const text = (builder: string, sample: string): Piece => ({
    column: `text("${column}")`,
    sql: "TEXT",
    type: nullable("string"),
    testType: nullable("string"),
    input: `${builder}()`,
    builder,
    typed: isRequired ? row : `${row} ?? ""`,
    answer: isRequired ? "z.string()" : "z.string().nullable()",
    answered: row,
    samples: { stored: quoted(sample), typed: quoted(sample), sent: quoted(sample) },
  });
  const optional = (builder: string) =>
    isRequired ? builder : `optional${builder.charAt(0).toUpperCase()}${builder.slice(1)}`;
  switch (type) {
    case "text": {
      const builder = isRequired ? "requiredText" : "optionalText";
      const piece = text(builder, `${titleOf(name)} 1`);
      return { ...piece, input: `${builder}(TEXT_MAX_LENGTH)`, limit: "TEXT_MAX_LENGTH" };
    }
    case "longtext":
      return {
        ...text("longText", "A longer note"),
        input: "longText(LONG_TEXT_MAX_LENGTH)",
        limit: "LONG_TEXT_MAX_LENGTH",
      };
    case "email":
      return text(optional("emailField"), "ada@example.com");
    case "url":
      return text(optional("urlField"), "https://example.com/a");
    case "day":
      return text(optional("dayField"), "2027-03-01");
    case "choice": {
      const list = choicesOf(field);
      const [first = ""] = field.choices;
      return {
        ...text("choiceField", first),
        column: `text("${column}", { enum: ${list} })`,
        type: `(typeof ${list})[number]`,
        testType: "string",
        input: `choiceField(${list}).default(${quoted(first)})`,
        limit: list,
        typed: row,
        answer: `z.enum(${list})`,
      };
    }
    case "number":
      return {
        ...text(optional("wholeNumber"), "7"),
        column: `integer("${column}")`,
        sql: "INTEGER",
        type: nullable("number"),
        testType: nullable("number"),
        typed: isRequired ? `String(${row})` : `${row} === null ? "" : String(${row})`,
        answer: isRequired ? "z.int()" : "z.int().nullable()",
        samples: { stored: "7", typed: quoted("7"), sent: "7" },
      };
    case "money":
      return {
        ...text(optional("moneyField"), ""),
        column: `money("${column}")`,
        helper: "money",
        type: nullable("Money"),
        typed: isRequired ? `typedMoney(${row})` : `${row} === null ? "" : typedMoney(${row})`,
        answer: isRequired ? "MoneyJson" : "MoneyJson.nullable()",
        sent: isRequired ? "MoneyJson" : "MoneyJson.nullish().transform((value) => value ?? null)",
        samples: {
          stored: `'{"amount":12050,"currency":"EUR"}'`,
          typed: quoted("120.50,EUR"),
          sent: '{ amount: 12050, currency: "EUR" }',
        },
      };
    case "moment":
      return {
        ...text(optional("momentField"), "2027-03-01T09:30"),
        column: `moment("${column}")`,
        helper: "moment",
        sql: "INTEGER",
        type: nullable("Date"),
        testType: nullable("number"),
        typed: isRequired
          ? `${row}.toISOString().slice(0, 16)`
          : `${row}?.toISOString().slice(0, 16) ?? ""`,
        answer: isRequired ? "z.iso.datetime()" : "z.iso.datetime().nullable()",
        answered: isRequired ? `${row}.toISOString()` : `${row}?.toISOString() ?? null`,
        samples: {
          stored: "Date.UTC(2027, 2, 1, 9, 30)",
          typed: quoted("2027-03-01T09:30"),
          sent: quoted("2027-03-01T09:30:00.000Z"),
        },
      };
    case "yesno":
      return {
        ...text("yesNoField", "yes"),
        column: `flag("${column}")`,
        helper: "flag",
        sql: "INTEGER",
        type: "boolean",
        testType: "number",
        typed: `${row} ? "yes" : ""`,
        answer: "z.boolean()",
        samples: { stored: "1", typed: quoted("yes"), sent: "true" },
      };
    case "user":
    case "ref": {
      const other = field.to?.table ?? "user";
      return {
        ...text(optional("idField"), ""),
        column: `text("${column}_id").references(() => ${other}.id, { onDelete: "set null" })`,
        type: "string | null",
        testType: "string | null",
        typed: `${row} ?? ""`,
        answer: "z.string().nullable()",
        samples: { stored: "null", typed: quoted(""), sent: "null" },
      };
    }
  }
  throw new Error(`No piece for ${type satisfies never} of ${subject.words.one.title}`);
}

/** Name of the list of a field's choices. */
function choicesOf({ name }: Field): string {
  return `${snakeOf(name).toUpperCase()}_CHOICES`;
}

/** Column of a field in SQL. */
function columnOf({ name, type }: Field): string {
  return type === "user" || type === "ref" ? `${snakeOf(name)}_id` : snakeOf(name);
}

const isChosenRow = ({ type }: Field) => type === "user" || type === "ref";
const isSearched = ({ type }: Field) => ["text", "longtext", "email", "url"].includes(type);

/** Marks of a subject's templates. */
export function marksOf({ scope, fields }: Subject): Set<string> {
  const has = (...types: FieldType[]) => fields.some(({ type }) => types.includes(type));
  const filters = has("choice", "yesno", "day");
  const choosers = has("user", "ref");
  return new Set([
    scope,
    ...(has("day") ? ["days"] : []),
    ...(has("choice", "yesno") ? ["options"] : []),
    ...(has("longtext") ? ["longtext"] : []),
    fields[0].isUnique ? "unique" : "several",
    filters ? "filters" : "nofilters",
    choosers ? "choosers" : "nochoosers",
  ]);
}

const lines = (all: readonly string[]) => all.filter(Boolean).join("\n");

/** Joins an import's names, sorted; nothing without any. */
function imports(names: readonly string[], from: string, isType = false): string {
  const all = [...new Set(names)].sort();
  return all.length === 0
    ? ""
    : `import ${isType ? "type " : ""}{ ${all.join(", ")} } from "${from}";`;
}

/** Returns what the templates of a subject are filled with. `known` are the labels of audit fields that there are. */
export function blocksOf(subject: Subject, known: ReadonlySet<string>): Blocks {
  const { fields, scope, words } = subject;
  const [title] = fields;
  const pieces = new Map(fields.map((field) => [field, pieceOf(field, subject)]));
  const piece = (field: Field) => pieces.get(field) ?? pieceOf(field, subject);
  const has = (...types: FieldType[]) => fields.some(({ type }) => types.includes(type));
  const each = (write: (field: Field, piece: Piece) => string) =>
    lines(fields.map((field) => write(field, piece(field))));
  const of = (types: FieldType[]) => fields.filter(({ type }) => types.includes(type));
  const choosers = fields.filter(isChosenRow);
  const refs = fields.filter(({ to }) => to);
  const second = fields.find((field) => field !== title && isSearched(field));
  const told = scope === "personal" ? [title] : fields;
  const needs = [...new Set(refs.map(({ to }) => to?.folder ?? ""))];
  const limits = [...new Set(fields.flatMap((field) => piece(field).limit ?? []))].sort();
  const days = of(["day"]);
  return {
    ...namesOf(subject),
    limitError: scope === "global" ? "" : '[409, "RECORD_LIMIT_REACHED"], ',
    ownerColumn: scope === "personal" ? "owner_id" : "organization_id",
    needs: needs.length > 0 ? `needs: [${needs.map(quoted).join(", ")}],` : "",
    auditFields: told
      .map(({ name }) => name)
      .filter((name) => !known.has(name))
      .map(quoted)
      .join(", "),
    webhookFor: scope === "organization" ? "all" : "site",
    detail: second && second.type !== "longtext" ? second.name : title.name,
    ownColumns: fields.map(({ name }) => `${quoted(name)}, `).join(""),
    columnHelpers: [...new Set(fields.flatMap((field) => piece(field).helper ?? []))]
      .sort()
      .map((one) => `${one}, `)
      .join(""),
    tableImports: lines(
      [
        ...refs.map(({ to }) => to && imports([to.table], `../${to.folder}/tables.server.ts`)),
        imports(of(["choice"]).map(choicesOf), `./${words.one.kebab}-limits.ts`),
      ].map((line) => line ?? ""),
    ),
    columns: each((field, { column }) => {
      const isThere = field.isRequired && !isChosenRow(field);
      const rest = field.type === "yesno" ? ".notNull()" : isThere ? ".notNull()" : "";
      return `${field.name}: ${column}${rest},`;
    }),
    sorts: ["updated", "created", title.name, ...days.map(({ name }) => name)]
      .map(quoted)
      .join(", "),
    choiceLists: lines(
      of(["choice"]).map(
        (field) =>
          `\n/** The first is chosen without another choice. */\nexport const ${choicesOf(field)} = [${field.choices.map(quoted).join(", ")}] as const;`,
      ),
    ),
    fieldBuilders: [...new Set(fields.map((field) => piece(field).builder))].sort().join(", "),
    limitImports: limits.join(", "),
    inputs: each(({ name }, { input }) => `${name}: ${input},`),
    fieldUnion: fields.map(({ name }) => quoted(name)).join(" | "),
    valueImports: lines([
      has("money") ? imports(["typedMoney", "type Money"], "../../values/money.ts") : "",
      imports(
        of(["choice"]).map((field) => `type ${choicesOf(field)}`),
        `./${words.one.kebab}-limits.ts`,
      ),
    ]),
    storedTypes: each(({ name }, { type }) => `${name}: ${type};`),
    values: each(({ name }, { typed }) => `${name}: ${typed},`),
    ...recordBlocks(subject),
    ...listBlocks(subject),
    ...screenBlocks(subject),
    sampleColumns: each((field) => `${columnOf(field)}: ${sampleOf(field)},`),
    sampleSearched: fields.filter(isSearched).map(sampleOf).join(", "),
    apiImports: has("money") ? imports(["MoneyJson"], "../../values/record-fields.ts") : "",
    apiLimits: of(["choice"])
      .map((field) => `, ${choicesOf(field)}`)
      .join(""),
    answerFields: each(({ name }, { answer }) => `${name}: ${answer},`),
    apiInput: apiInputOf(subject, piece),
    queryFields: lines([
      ...of(["choice"]).map((field) => `${field.name}: z.enum(${choicesOf(field)}).optional(),`),
      ...of(["yesno"]).map(({ name }) => `${name}: z.enum(["yes", "no"]).optional(),`),
      ...days.flatMap(({ name }) => [
        `${name}From: z.iso.date().optional(),`,
        `${name}To: z.iso.date().optional(),`,
      ]),
    ]),
    queryFilters: filtersOfQuery(subject),
    answerUnion: fields.map(({ name }) => `${quoted(name)} | `).join(""),
    answerValues: each(({ name }, { answered }) => `${name}: ${answered},`),
    sqlColumns: each((field, { sql }) => sqlOf(field, sql)),
    indexes: indexesOf(subject),
    referenceIndexes: lines(
      choosers.map(
        (field) =>
          `CREATE INDEX ${words.one.snake}_${columnOf(field)} ON ${words.one.snake}(${columnOf(field)});`,
      ),
    ),
    docRows: each(
      (field) => `| ${titleOf(field.name).toLowerCase()} | ${ruleOf(field)} | \`input.ts\` |`,
    ),
    ownDataRows: lines(
      fields.flatMap((field) => {
        const path = `${words.many.camel}[].${field.name}`;
        const column = `\`${words.one.snake}.${columnOf(field)}\``;
        const meaning = `its ${titleOf(field.name).toLowerCase()}`;
        return field.type === "money"
          ? [
              `| \`${path}.amount\` | ${meaning}, in the smallest unit | ${column} |`,
              `| \`${path}.currency\` | its currency | ${column} |`,
            ]
          : [`| \`${path}\` | ${meaning} | ${column} |`];
      }),
    ),
    testRowTypes: each((field, { testType }) => `${columnOf(field)}: ${testType};`),
    testRowValues: each((field, { samples }) =>
      field === title
        ? `${columnOf(field)}: \`${titleOf(field.name)} \${made}\`,`
        : `${columnOf(field)}: ${samples.stored},`,
    ),
    typedValues: each((field, { samples }) => `${field.name}: ${samples.typed},`),
    sentValues: each((field, { samples }) => `${field.name}: ${samples.sent},`),
    namedFields: fields
      .filter(({ type }) => type === "text" || type === "longtext")
      .map(({ name }) => `${name}: "zod-sample"`)
      .join(", "),
    namedColumns: fields
      .filter(({ type }) => type === "text" || type === "longtext")
      .map((field) => `${columnOf(field)}: "zod-sample"`)
      .join(", "),
    chooser: choosers[0]?.name ?? "",
    filled: lines(
      fields.flatMap((field) => {
        if (field === title || !field.isRequired || isChosenRow(field)) return [];
        if (field.type === "day") {
          return [
            `await page.locator("#field-${field.name}").click();`,
            'await page.getByRole("textbox", { name: t("common:datePicker.type") }).fill("2027-03-01");',
          ];
        }
        if (field.type === "choice" || field.type === "yesno") return [];
        const value = field.type === "money" ? "120.50" : JSON.parse(piece(field).samples.typed);
        return [`await page.locator('[name="${field.name}"]').first().fill(${quoted(value)});`];
      }),
    ),
    knownValues: each((field, { samples }) =>
      field === title
        ? `${columnOf(field)}: key("${words.one.kebab}"),`
        : isChosenRow(field)
          ? ""
          : `${columnOf(field)}: ${samples.stored},`,
    ),
  };
}

function namesOf({ fields: [title] }: Subject): Blocks {
  return { title: title.name, titleColumn: snakeOf(title.name), titleLabel: titleOf(title.name) };
}

function sqlOf(field: Field, type: string): string {
  const column = columnOf(field);
  if (field.type === "user") return `  ${column} TEXT REFERENCES user(id) ON DELETE SET NULL,`;
  if (field.type === "ref") {
    return `  ${column} TEXT REFERENCES ${field.to?.column}(id) ON DELETE SET NULL,`;
  }
  const isThere = field.isRequired || field.type === "yesno";
  const rest = [isThere ? " NOT NULL" : "", field.isUnique ? " COLLATE NOCASE" : ""].join("");
  return `  ${column} ${type}${rest},`;
}

function ruleOf({ type, isRequired, isUnique, choices }: Field): string {
  const rules: Record<FieldType, string> = {
    text: "200 characters at most, no control characters",
    longtext: "2,000 characters at most",
    number: "a whole number",
    money: "an amount and its currency, never a float",
    day: "a day without a time zone",
    moment: "a moment, in UTC",
    choice: choices.join(", "),
    yesno: "yes or no",
    email: "an e-mail",
    url: "`http` or `https`, no credentials",
    user: "a member of the organization",
    ref: "a row with the same owner",
  };
  return [rules[type], isRequired ? "" : "may be empty", isUnique ? "unique" : ""]
    .filter(Boolean)
    .join("; ");
}

function indexesOf({ scope, fields, words: { one } }: Subject): string {
  const [title] = fields;
  const owner = { organization: "organization_id, ", personal: "owner_id, ", global: "" }[scope];
  const table = one.snake;
  const titleColumn = columnOf(title);
  const days = fields.filter(({ type }) => type === "day");
  const byTitle = title.isUnique
    ? `-- No two of an owner have the same value, whatever its case.\nCREATE UNIQUE INDEX ${table}_unique ON ${table}(${owner}${titleColumn});\n`
    : "";
  return lines([
    `CREATE INDEX ${table}_by_updated ON ${table}(${owner}updated_at, id);`,
    `CREATE INDEX ${table}_by_created ON ${table}(${owner}created_at, id);`,
    `CREATE INDEX ${table}_by_${titleColumn} ON ${table}(${owner}${titleColumn} COLLATE NOCASE, id);`,
    ...days.map(
      (field) =>
        `CREATE INDEX ${table}_by_${columnOf(field)} ON ${table}(${owner}coalesce(${columnOf(field)}, ''), id);`,
    ),
    ...(scope === "global"
      ? []
      : [
          "-- The same for all owners together.",
          `CREATE INDEX ${table}_all_by_updated ON ${table}(updated_at, id);`,
          `CREATE INDEX ${table}_all_by_created ON ${table}(created_at, id);`,
        ]),
    byTitle.trimEnd(),
  ]);
}

/** A value of a row of the sample data. */
function sampleOf(field: Field): string {
  const { name, type, choices } = field;
  const label = titleOf(name);
  const samples: Record<FieldType, string> = {
    text: `\`${label} \${index + 1}\``,
    longtext: quoted("A note of a few words."),
    number: "index + 1",
    money: 'JSON.stringify({ amount: 1_000 + index * 250, currency: "EUR" })',
    day: "new Date(createdAt).toISOString().slice(0, 10)",
    moment: "createdAt",
    choice: `[${choices.map(quoted).join(", ")}][index % ${choices.length}] ?? ${quoted(choices[0] ?? "")}`,
    yesno: "index % 2",
    email: `\`person\${index + 1}@example.com\``,
    url: `\`https://example.com/\${index + 1}\``,
    user: "null",
    ref: "null",
  };
  return samples[type];
}

function recordBlocks({ fields, scope, words }: Subject): Blocks {
  const [title] = fields;
  const others = fields.filter(isChosenRow);
  const users = others.filter(({ to }) => !to);
  const { camel } = words.one;
  const hasOthers = others.length > 0;
  const ofOwner = ({ table, scope: its }: Referred) =>
    ({
      organization: ` AND \${${table}.organizationId} = \${idOf(call.key)}`,
      personal: ` AND \${${table}.ownerId} = \${call.actor.actorId}`,
      global: "",
    })[its];
  const conditions = others.map(({ name, to }) => {
    const exists = to
      ? `SELECT 1 FROM \${${to.table}} WHERE \${${to.table}.id} = \${input.${name}}${ofOwner(to)}`
      : `SELECT 1 FROM \${member} WHERE \${member.userId} = \${input.${name}} AND \${member.organizationId} = \${idOf(call.key)}`;
    return `input.${name} === null ? undefined : sql\`EXISTS (${exists})\`,`;
  });
  const [firstOther] = others;
  return {
    drizzleNames: [
      "and",
      "eq",
      ...(hasOthers ? ["getTableColumns"] : []),
      "type SQL",
      ...(hasOthers ? ["sql"] : []),
    ].join(", "),
    recordImports: lines([
      hasOthers ? 'import { alias } from "drizzle-orm/sqlite-core";' : "",
      users.length > 0 ? 'import { member, user } from "../../db/schema/schema.ts";' : "",
      users.length > 0 || others.some(({ to }) => to?.scope === "organization")
        ? 'import { idOf } from "../organizations/standing.server.ts";'
        : "",
      ...others.map(({ to }) =>
        to ? imports([to.table], `../${to.folder}/tables.server.ts`) : "",
      ),
    ]),
    searched: fields
      .filter(isSearched)
      .map(({ name }) => `input.${name}`)
      .join(", "),
    told: (scope === "personal" ? [title] : fields).map(({ name }) => quoted(name)).join(", "),
    unique: title.isUnique ? `unique: ${camel}.${title.name},` : "",
    meets: hasOthers ? `meets: (call, input) => and(\n${conditions.join("\n")}\n),` : "",
    errors: lines([
      title.isUnique ? `taken: { field: ${quoted(title.name)} },` : "",
      firstOther ? `unmet: { field: ${quoted(firstOther.name)} },` : "",
    ]),
    rowDefinition: hasOthers
      ? lines([
          ...others.map(
            ({ name, to }) =>
              `const ${name}Row = alias(${to?.table ?? "user"}, "${snakeOf(name)}_row");`,
          ),
          "",
          "/** A row, with the names of what it refers to. */",
          `const ROW = {\n...getTableColumns(${camel}),`,
          ...others.map(
            ({ name, to }) =>
              `${name}Name: sql<string | null>\`\${${name}Row.${to?.title ?? "name"}}\`.as("${snakeOf(name)}_name"),`,
          ),
          "};",
        ])
      : "",
    rowSelection: hasOthers ? "ROW" : "",
    rowJoins: lines(
      others.map(({ name }) => `.leftJoin(${name}Row, eq(${name}Row.id, ${camel}.${name}))`),
    ),
    detailNames: [
      ...fields.map(({ name }) => `${name}, `),
      ...others.map(({ name }) => `${name}Name, `),
    ].join(""),
  };
}

function listBlocks({ fields, scope, words: { one } }: Subject): Blocks {
  const [title] = fields;
  const { camel } = one;
  const shown = fields.filter((field) => !isChosenRow(field));
  const choices = fields.filter(({ type }) => type === "choice");
  const flags = fields.filter(({ type }) => type === "yesno");
  const days = fields.filter(({ type }) => type === "day");
  return {
    listImports: fields.some(({ type }) => type === "money")
      ? imports(["writeMoney"], "../../values/money.ts")
      : "",
    listLimits: choices.map((field) => `, ${choicesOf(field)}`).join(""),
    listed: lines(fields.map(({ name }) => `${name}: ${camel}.${name},`)),
    listDrizzle: [
      ...(scope === "organization" || choices.length + flags.length > 0 ? ["eq"] : []),
      ...(choices.length + flags.length + days.length > 0 ? ["type SQL"] : []),
      "sql",
    ].join(", "),
    filterTypes: lines([
      ...choices.map(
        (field) => `${field.name}?: (typeof ${choicesOf(field)})[number] | undefined;`,
      ),
      ...flags.map(({ name }) => `${name}?: "yes" | "no" | undefined;`),
      ...days.flatMap(({ name }) => [
        `${name}From?: string | undefined;`,
        `${name}To?: string | undefined;`,
      ]),
    ]),
    orders: lines([
      `${title.name}: { by: sql\`\${${camel}.${title.name}} COLLATE NOCASE\`, valueOf: (row) => row.${title.name} },`,
      ...days.map(
        ({ name }) =>
          `${name}: { by: sql\`coalesce(\${${camel}.${name}}, '')\`, valueOf: (row) => row.${name} ?? "" },`,
      ),
    ]),
    readFilters: lines([
      choices.length + flags.length > 0
        ? "const read = (name: string) => url.searchParams.get(name);"
        : "",
      ...days.map(
        ({ name }) =>
          `const ${name} = readDayRange(url, { from: "${name}From", to: "${name}To" });`,
      ),
      `const filters: ${one.pascal}Filters = {`,
      ...choices.map(
        (field) =>
          `${field.name}: ${choicesOf(field)}.find((choice) => choice === read("${field.name}")),`,
      ),
      ...flags.map(
        ({ name }) =>
          `${name}: (["yes", "no"] as const).find((choice) => choice === read("${name}")),`,
      ),
      ...days.flatMap(({ name }) => [`${name}From: ${name}.from,`, `${name}To: ${name}.to,`]),
      "};",
      days.length > 0
        ? `return { filters, notices: [${days.map(({ name }) => name).join(", ")}].some((range) => range.isMalformed) ? ["common:list.dayIgnored"] : [] };`
        : "return { filters };",
    ]),
    filterConditions: lines([
      ...choices.map(({ name }) => `filters.${name} && eq(${camel}.${name}, filters.${name}),`),
      ...flags.map(
        ({ name }) => `filters.${name} && eq(${camel}.${name}, filters.${name} === "yes"),`,
      ),
      ...days.flatMap(({ name }) => [
        `filters.${name}From ? sql\`\${${camel}.${name}} >= \${filters.${name}From}\` : undefined,`,
        `filters.${name}To ? sql\`\${${camel}.${name}} <= \${filters.${name}To}\` : undefined,`,
      ]),
    ]),
    fileColumns: lines(
      shown.map(({ name, type, isRequired }) => {
        const value = `row.${name}`;
        if (type === "money") {
          return `${name}: (row) => ${isRequired ? `writeMoney(${value})` : `${value} && writeMoney(${value})`},`;
        }
        if (type === "yesno") return `${name}: (row) => (${value} ? "yes" : "no"),`;
        return `${name}: (row) => ${value},`;
      }),
    ),
  };
}

function filtersOfQuery({ fields }: Subject): string {
  const names = fields.flatMap(({ name, type }) => {
    if (type === "choice" || type === "yesno") return [name];
    return type === "day" ? [`${name}From`, `${name}To`] : [];
  });
  return names.length === 0
    ? "{}"
    : `{ ${names.map((name) => `${name}: call.query.${name}`).join(", ")} }`;
}

function apiInputOf(subject: Subject, piece: (field: Field) => Piece): string {
  const { fields, words } = subject;
  const changed = fields.flatMap((field) => {
    const { sent } = piece(field);
    return sent ? [`  ${field.name}: ${sent},`] : [];
  });
  const name = `Api${words.one.pascal}Input`;
  if (changed.length === 0) return `const ${name} = ${words.one.pascal}Input;`;
  return [`const ${name} = ${words.one.pascal}Input.extend({`, ...changed, "});"].join("\n");
}

/** What screens show of a field. */
function screenBlocks(subject: Subject): Blocks {
  const { fields, scope, words } = subject;
  const [title] = fields;
  const has = (...types: FieldType[]) => fields.some(({ type }) => types.includes(type));
  const choosers = fields.filter(isChosenRow);
  const line = fields.find((field) => field !== title && ["text", "email"].includes(field.type));
  const inTable = fields.filter(
    (field) =>
      field !== title && ["choice", "money", "day", "number", "yesno"].includes(field.type),
  );
  const shown = [...(line ? [line] : []), ...inTable];
  const filters = fields.filter(({ type }) => ["choice", "yesno", "day"].includes(type));
  const hasFilters = filters.length > 0;
  const loaded = [
    ...(scope === "organization" ? ["frame"] : []),
    ...(choosers.length > 0 ? ["options"] : []),
  ];
  const controls = lines(fields.map(controlFor));
  // The heading has the title; a screen without any other field repeats it.
  const others = fields.filter((field) => field !== title);
  const inDetail = others.length > 0 ? others : [title];
  const isInTable = (...types: FieldType[]) => shown.some(({ type }) => types.includes(type));
  return {
    filtersProp: hasFilters ? "filters, " : "",
    cellImports: lines([
      imports(
        [...(isInTable("money") ? ["Amount"] : []), ...(isInTable("day") ? ["Day"] : [])],
        "../../ui/text/amount.tsx",
      ),
      isInTable("choice") ? imports(["Badge"], "../../ui/text/badge.tsx") : "",
      isInTable("money") ? imports(["Money"], "../../values/money.ts", true) : "",
    ]),
    choiceImports: imports(
      fields.filter(({ type }) => type === "choice").map(choicesOf),
      `./${words.one.kebab}-limits.ts`,
    ),
    rowTypes: lines(
      [title, ...shown].map((field) => `${field.name}: ${pieceOf(field, subject).type};`),
    ),
    tableColumns: lines([
      `{
        key: "${title.name}",
        label: t("fields.${title.name}"),
        card: "title",
        sort: "${title.name}",
        cell: (row) => (
          <Link prefetch="intent" to={pathOf(row.id)} state={FROM_LIST} className="list-link">
            <bdi>{row.${title.name}}</bdi>
          </Link>
        ),
      },`,
      ...shown.map((field) => columnFor(field, field === line, shown)),
    ]),
    filterControls: lines(filters.map(filterFor)),
    formImports: lines([
      has("yesno") ? imports(["CheckField"], "../../ui/forms/check-field.tsx") : "",
      has("day") ? imports(["DayField"], "../../ui/forms/day-field.tsx") : "",
      imports(
        [
          has("text", "number", "url") ? "TextField" : "",
          has("email") ? "EmailField" : "",
          has("longtext", "choice", "user", "ref") ? "Field" : "",
        ].filter(Boolean),
        "../../ui/forms/field.tsx",
      ),
      has("moment") ? imports(["MomentField"], "../../ui/forms/moment-field.tsx") : "",
      has("money") ? imports(["MoneyField"], "../../ui/forms/money-field.tsx") : "",
      has("choice", "user", "ref") ? imports(["Select"], "../../ui/forms/select.tsx") : "",
    ]),
    formLimits: [...new Set(fields.flatMap((field) => pieceOf(field, subject).limit ?? []))]
      .sort()
      .join(", "),
    optionsProp: choosers.length > 0 ? "options, " : "",
    controls,
    recordTexts: controls.includes("record(")
      ? 'const { t: record } = useTranslation("records");'
      : "",
    detailImports: lines([
      imports(
        [...(has("money") ? ["Amount"] : []), ...(has("day") ? ["Day"] : [])],
        "../../ui/text/amount.tsx",
      ),
      has("moment") ? imports(["LocalTime"], "../../ui/text/relative-time.tsx") : "",
      has("email") ? imports(["EmailText"], "../../ui/text/email-text.tsx") : "",
      has("money") ? imports(["Money"], "../../values/money.ts", true) : "",
      imports(
        fields.filter(({ type }) => type === "choice").map((field) => `type ${choicesOf(field)}`),
        `./${words.one.kebab}-limits.ts`,
      ),
    ]),
    detailTypes: lines([
      ...inDetail.map((field) => `${field.name}: ${pieceOf(field, subject).type};`),
      ...choosers.map(({ name }) => `${name}Name: string | null;`),
    ]),
    facts: lines(inDetail.map((field) => factFor(field, words.one.camel))),
    newProps: scope === "organization" || choosers.length > 0 ? "loaderData, " : "",
    foundImports: scope === "personal" ? `find${words.one.pascal}, ` : "",
    selectImport: {
      organization: `, isOf, select${words.one.pascal}`,
      personal: ", isOf",
      global: `, select${words.one.pascal}`,
    }[scope],
    updateImports: [
      ...(scope === "global" ? [] : [", isOf"]),
      ...(scope === "organization" && choosers.length === 0 ? [`, select${words.one.pascal}`] : []),
    ].join(""),
    loadedProps: loaded.map((name) => `, ${name}`).join(""),
    conflictImports: imports(
      fields.filter(({ type }) => type === "choice").map(choicesOf),
      `../${words.one.kebab}-limits.ts`,
    ),
    conflictFields: lines(fields.map(conflictFor)),
    ...optionBlocks(subject),
  };
}

/** What the form offers to choose from. */
function optionBlocks({ fields }: Subject): Blocks {
  const refs = fields.filter(({ to }) => to);
  const choosers = fields.filter(isChosenRow);
  const isOwn = ({ table, scope }: Referred) =>
    ({
      organization: `.where(eq(${table}.organizationId, owner))`,
      personal: `.where(eq(${table}.ownerId, owner))`,
      global: "",
    })[scope];
  return {
    optionDrizzle: imports(
      refs.length > 0
        ? ["asc", ...(refs.some(({ to }) => to?.scope !== "global") ? ["eq"] : [])]
        : [],
      "drizzle-orm",
    ),
    optionImports: lines([
      ...refs.map(({ to }) => (to ? imports([to.table], `../${to.folder}/tables.server.ts`) : "")),
    ]),
    most:
      refs.length > 0
        ? "/** So many rows of another subject are offered. */\nconst MOST = 200;"
        : "",
    selectMembersImport: choosers.length > refs.length ? "selectMembers," : "",
    optionsType: choosers.map(({ name }) => quoted(name)).join(" | "),
    optionNames: choosers.map(({ name }) => `${name}Options`).join(", "),
    optionSelects: lines(
      choosers.map(({ to }) =>
        to
          ? `db.select({ id: ${to.table}.id, name: ${to.table}.${to.title} }).from(${to.table})${isOwn(to)}.orderBy(asc(${to.table}.${to.title})).limit(MOST),`
          : "selectMembers(db, visitor),",
      ),
    ),
    optionMembers: choosers
      .map(({ name, to }) =>
        to
          ? `${name}: withStored(${name}Options, row?.${name}, row?.${name}Name)`
          : `${name}: withStored(${name}Options.map(({ userId, name, email }) => ({ id: userId, name: name || email })), row?.${name}, row?.${name}Name)`,
      )
      .join(", "),
  };
}

function columnFor({ name, type, isRequired }: Field, isLine: boolean, shown: Field[]): string {
  const badge = shown.find((field) => field.type === "choice");
  const end = shown.find((field) => field.type === "money");
  const value = `row.${name}`;
  const orNone = (drawn: string) =>
    isRequired ? drawn : `${value} === null ? <span className="text-muted">–</span> : ${drawn}`;
  const cells: Partial<Record<FieldType, string>> = {
    text: orNone(`<bdi className="text-muted">{${value}}</bdi>`),
    email: orNone(`<bdi dir="ltr" className="text-muted">{${value}}</bdi>`),
    choice: `<Badge tone="border-line bg-sunken">{t(\`choices.${name}.\${${value}}\`)}</Badge>`,
    money: orNone(`<Amount money={${value}} />`),
    day: orNone(`<Day day={${value}} />`),
    number: value,
    yesno: `record(${value} ? "yes" : "no")`,
  };
  const card = isLine
    ? 'card: "line",'
    : name === badge?.name
      ? 'card: "end",'
      : name === end?.name
        ? 'card: "end",'
        : "";
  return `{
    key: "${name}",
    label: t("fields.${name}"),
    ${card}
    ${type === "money" || type === "number" ? "isNumber: true," : ""}
    ${type === "day" ? `sort: "${name}",` : ""}
    cell: (row) => ${cells[type]},
  },`;
}

function filterFor(field: Field): string {
  const { name, type } = field;
  if (type === "day") {
    return `<FilterDays
      label={t("fields.${name}")}
      from={filters.${name}From}
      to={filters.${name}To}
      names={{ from: "${name}From", to: "${name}To" }}
      last="2199-12-31"
    />`;
  }
  const options =
    type === "choice"
      ? `${choicesOf(field)}.map((choice) => [choice, t(\`choices.${name}.\${choice}\`)])`
      : `[["yes", record("yes")], ["no", record("no")]]`;
  return `<FilterOptions
    name="${name}"
    label={t("fields.${name}")}
    value={filters.${name}}
    options={${options}}
  />`;
}

function controlFor(field: Field): string {
  const { name, type, isRequired, isUnique } = field;
  const label = `name="${name}" label={t("fields.${name}")}`;
  const errors = `errors={result?.errors.${name}}`;
  const hint = isUnique ? 'hint={record("unique")}' : isRequired ? "" : 'hint={record("optional")}';
  const required = isRequired ? "required" : "";
  const value = `defaultValue={values.${name}}`;
  switch (type) {
    case "text":
      return `<TextField ${label} ${hint} dir="auto" maxLength={TEXT_MAX_LENGTH} ${value} ${errors} ${required} />`;
    case "url":
      return `<TextField ${label} ${hint} type="url" dir="ltr" inputMode="url" autoCapitalize="off" spellCheck={false} ${value} ${errors} ${required} />`;
    case "number":
      return `<TextField ${label} ${hint} dir="ltr" inputMode="numeric" ${value} ${errors} ${required} />`;
    case "email":
      return `<EmailField ${label} ${hint} ${value} ${errors} ${required} />`;
    case "longtext":
      return `<Field ${label} ${hint} ${errors}>
        {(control) => (
          <textarea {...control} dir="auto" rows={5} maxLength={LONG_TEXT_MAX_LENGTH} ${value} className="input" />
        )}
      </Field>`;
    case "money":
      return `<MoneyField ${label} ${hint} value={values.${name}} ${errors} ${required} />`;
    case "day":
      return `<DayField ${label} ${hint} value={values.${name}} ${errors} ${required} />`;
    case "moment":
      return `<MomentField ${label} ${hint} value={values.${name}} ${errors} ${required} />`;
    case "yesno":
      return `<CheckField ${label} defaultChecked={values.${name} === "yes"} ${errors} />`;
    case "choice":
      return `<Field ${label} ${errors}>
        {(control) => (
          <Select {...control} defaultValue={values.${name} ?? ${choicesOf(field)}[0]}>
            {${choicesOf(field)}.map((choice) => (
              <option key={choice} value={choice}>{t(\`choices.${name}.\${choice}\`)}</option>
            ))}
          </Select>
        )}
      </Field>`;
    case "user":
    case "ref":
      return `<Field ${label} ${hint} ${errors}>
        {(control) => (
          <Select {...control} defaultValue={values.${name} ?? ""} ${required}>
            <option value="">{record("choose")}</option>
            {options.${name}.map(({ id, name: option }) => (
              <option key={id} value={id}>{option}</option>
            ))}
          </Select>
        )}
      </Field>`;
  }
}

function factFor({ name, type, isRequired }: Field, row: string): string {
  const value = `${row}.${name}`;
  const none = `<span className="text-muted">{record("none")}</span>`;
  const drawn: Record<FieldType, string> = {
    text: `<bdi>{${value}}</bdi>`,
    longtext: `<p className="max-w-prose whitespace-pre-line"><bdi>{${value}}</bdi></p>`,
    number: `<bdi>{${value}}</bdi>`,
    money: `<Amount money={${value}} />`,
    day: `<Day day={${value}} />`,
    moment: `<LocalTime date={${value}} />`,
    choice: `t(\`choices.${name}.\${${value}}\`)`,
    yesno: `record(${value} ? "yes" : "no")`,
    email: `<EmailText>{${value}}</EmailText>`,
    url: `<a href={${value}} target="_blank" rel="noopener noreferrer" className="wrap-anywhere text-accent-ink underline-offset-4 hover:underline"><bdi dir="ltr">{${value}}</bdi></a>`,
    user: `<bdi>{${value}Name}</bdi>`,
    ref: `<bdi>{${value}Name}</bdi>`,
  };
  const isText = type === "choice" || type === "yesno";
  const mayBeNone = type === "user" || type === "ref" || (!isRequired && type !== "yesno");
  const tested = type === "user" || type === "ref" ? `${value}Name` : value;
  const inside = mayBeNone
    ? `{${tested} === null ? ${none} : ${drawn[type]}}`
    : isText
      ? `{${drawn[type]}}`
      : drawn[type];
  return `<Fact term={t("fields.${name}")}>${inside}</Fact>`;
}

/** Both values of a field after a conflict. What was typed was parsed before. */
function conflictFor(field: Field): string {
  const { name, type } = field;
  const written: Partial<Record<FieldType, [theirs: string, yours: string]>> = {
    money: [
      `theirs.${name}.replace(/,(?=\\D+$)/, " ")`,
      `typed?.${name}?.replace(/,(?=\\D+$)/, " ")`,
    ],
    yesno: [
      `record(theirs.${name} === "yes" ? "yes" : "no")`,
      `record(typed?.${name} === "yes" ? "yes" : "no")`,
    ],
    choice: [
      `t(\`choices.${name}.\${theirs.${name}}\`)`,
      `${choicesOf(field)}.filter((choice) => choice === typed?.${name}).map((choice) => t(\`choices.${name}.\${choice}\`))[0]`,
    ],
    user: [optionFor(name, "theirs"), optionFor(name, "typed?")],
    ref: [optionFor(name, "theirs"), optionFor(name, "typed?")],
  };
  const [theirs, yours] = written[type] ?? [`theirs.${name}`, `typed?.${name}`];
  return `{ label: t("fields.${name}"), theirs: ${theirs}, yours: ${yours} },`;
}

function optionFor(name: string, values: string): string {
  return `options.${name}.find(({ id }) => id === ${values}.${name})?.name ?? ""`;
}
