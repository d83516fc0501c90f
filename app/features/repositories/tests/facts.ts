import {
  ADMIN_ONLY,
  appScreen,
  managerScreen,
  NOT_SUPPORT,
  PROGRAM_CALL,
} from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { screensOf } from "../../../../tests/support/screen.ts";
import { REPOSITORY_ACTS } from "../acts.ts";
import { RepositoriesChange, RepositoryInput, RepositoryUpdate } from "../input.ts";
import { aRepository, someRepositories } from "./repositories.ts";

const IN_APP = "/app/repositories";
const LIST = "/manager/repositories";
const NEW = `${LIST}/new`;
const ONE = `${LIST}/:id`;
const UPDATE = `${ONE}/update`;
const FILE = `${LIST}/export`;
const API = "/api/v1/repositories";
const NOBODY = "nobody-has-this";

type Ids = { repository: string };

export const facts = {
  access: {
    [IN_APP]: appScreen(200, 405),
    [`${IN_APP}/:id`]: appScreen(404, 405),
    [FILE]: managerScreen(200, 405, NOT_SUPPORT),
    [LIST]: managerScreen(200, 415),
    [NEW]: managerScreen(200, 415, ADMIN_ONLY),
    [ONE]: managerScreen(404, 415),
    [UPDATE]: managerScreen(404, 404, ADMIN_ONLY),
    [API]: PROGRAM_CALL,
    [`${API}/:id`]: PROGRAM_CALL,
  },
  managers: {
    [LIST]: ["admin", "support", "auditor"],
    [NEW]: ["admin"],
    [ONE]: ["admin", "support", "auditor"],
    [UPDATE]: ["admin"],
    [FILE]: ["admin", "auditor"],
  },
  commands: [
    ["create a repository", NEW, { name: "" }, ["admin"]],
    ["update a repository", UPDATE, { name: "" }, ["admin"]],
    ["delete a repository", `${LIST}/none`, { intent: "delete" }, ["admin"]],
    ["delete repositories", LIST, { intent: "delete", id: "none" }, ["admin"]],
  ],
  forms: {
    [LIST]: RepositoriesChange,
    [NEW]: RepositoryInput,
    // The forms without a field delete and restore.
    [ONE]: [],
    [UPDATE]: RepositoryUpdate,
    // For keys alone, which no session of a browser is.
    [API]: [],
    [`${API}/:id`]: [],
  },
  async fields(_aim, { d1, pattern, ids }) {
    const link = "https://e.example/x";
    if (!pattern.startsWith(LIST)) return { link };
    const id = ids["/repositories/:id"] ?? "";
    const version = await d1
      .prepare("SELECT version FROM repository WHERE id = ?")
      .bind(id)
      .first<number>("version");
    return { link, id, version: String(version) };
  },
  acts: {
    [LIST]: [
      [REPOSITORY_ACTS.delete, { intent: "delete", id: NOBODY }],
      [REPOSITORY_ACTS.restore, { intent: "restore", id: NOBODY }],
    ],
    [NEW]: [["repository.create", { name: "", link: "https://x.example" }]],
    [ONE]: [
      [REPOSITORY_ACTS.delete, { intent: "delete" }],
      [REPOSITORY_ACTS.restore, { intent: "restore" }],
    ],
    [UPDATE]: [["repository.update", { name: "", link: "https://x.example", version: "1" }]],
  },
  leftBehind: {
    "repository.create": "A repository, which its question of deletion names.",
    "repository.update": "A name, which its question of deletion names.",
  },
  exports: { [FILE]: "repository.export" },
  changes: {
    "the back-office": [LIST, NEW, ONE, UPDATE],
    "what programs and the mail provider change": [API, `${API}/:id`],
  },
  tables: ["repository"],
  urls: async (gatehouse) => ({ "/repositories/:id": (await aRepository(gatehouse)).id }),
  async found(gatehouse, name) {
    const { id } = await aRepository(gatehouse, { name });
    return { inManager: `${LIST}/${id}`, inApp: `${IN_APP}/${id}` };
  },
  async seed(gatehouse): Promise<Ids> {
    const [first] = await someRepositories(gatehouse, 1);
    return { repository: first?.id ?? "" };
  },
  screens: [
    ...screensOf<Ids>("owner", {
      "app-repositories": IN_APP,
      "app-repository": ({ repository }) => `${IN_APP}/${repository}`,
    }),
    ...screensOf<Ids>("admin", {
      repositories: LIST,
      "new-repository": NEW,
      repository: ({ repository }) => `${LIST}/${repository}`,
      "update-repository": ({ repository }) => `${LIST}/${repository}/update`,
    }),
  ],
  async translated({ gatehouse, ofManager, ofUser }) {
    const { id } = await aRepository(gatehouse, {
      name: "zod-sample",
      link: "https://zod.example/zod",
      description: "Spam reason",
    });
    return [
      ["app, repositories", ofUser, (browser) => browser.get(IN_APP)],
      ["app, no such repository", ofUser, (browser) => browser.get(`${IN_APP}?searchTerm=xqz`)],
      ["app, a repository", ofUser, (browser) => browser.get(`${IN_APP}/${id}`)],
      ["manager, repositories", ofManager, (browser) => browser.get(LIST)],
      ["manager, no such repository", ofManager, (b) => b.get(`${LIST}?searchTerm=xqz`)],
      ["manager, a repository", ofManager, (browser) => browser.get(`${LIST}/${id}`)],
      ["manager, a new repository", ofManager, (browser) => browser.get(NEW)],
      [
        "manager, a bad repository",
        ofManager,
        (browser) => browser.submit(NEW, { intent: "create", name: "", link: "x" }),
      ],
      ["manager, change a repository", ofManager, (b) => b.get(`${LIST}/${id}/update`)],
    ];
  },
  lists: {
    paths: [LIST, IN_APP],
    sorts: ["updated", "created", "name"],
    term: "atlas",
    fill: (d1, now) =>
      d1
        .prepare(
          `INSERT INTO repository (id, name, name_key, link, search_key, created_at, updated_at)
           WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < 4000)
           SELECT 'atlas-' || i, 'atlas ' || i, 'atlas ' || i, 'https://a.bc/',
             'atlas ' || i || char(10) || 'https://a.bc/', ${now} - i, ${now} - i FROM n`,
        )
        .run(),
  },
} satisfies FeatureTests<Ids>;
