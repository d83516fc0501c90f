import { managerScreen } from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { insertRows } from "../../../../tests/support/insert.ts";
import { screensOf } from "../../../../tests/support/screen.ts";
import { NOTE_ACTS } from "../acts.ts";
import { NotesForm } from "../input.ts";

const NOTES = "/manager/users/:id/notes";
/** The id of no note. */
const note = "nobody-has-this";

type Ids = { noted: string };

export const facts = {
  access: { [NOTES]: managerScreen(404, 415) },
  managers: { [NOTES]: ["admin", "support", "auditor"] },
  forms: { [NOTES]: NotesForm },
  fields: () => ({
    note,
    text: "Called back.",
    name: "crm_id",
    value: "4711",
    was: "",
    removed: "crm_id",
  }),
  acts: {
    [NOTES]: [
      [NOTE_ACTS["add-note"], { intent: "add-note", text: "Called back." }],
      [NOTE_ACTS["remove-note"], { intent: "remove-note", note }],
      [NOTE_ACTS["set-metadata"], { intent: "set-metadata", name: "crm_id", value: "4711" }],
      [NOTE_ACTS["remove-metadata"], { intent: "remove-metadata", removed: "crm_id" }],
    ],
  },
  leftBehind: {
    "note:add-note": "A text that nothing but a manager reads.",
    "note:remove-note": "Nothing.",
    "note:set-metadata": "A value that nothing but a manager reads.",
    "note:remove-metadata": "Nothing.",
  },
  changes: { "the back-office": [NOTES] },
  async seed(gatehouse, { owner }): Promise<Ids> {
    const at = Date.now() - 3_600_000;
    await insertRows(gatehouse.d1, "user_note", [
      {
        id: crypto.randomUUID(),
        user_id: owner.id,
        author_id: null,
        text: "Asked for an invoice in their own name.\nسُئل عن الفاتورة.",
        created_at: at,
      },
    ]);
    await insertRows(gatehouse.d1, "user_metadata", [
      {
        user_id: owner.id,
        name: "crm_id",
        value: "4711",
        updated_at: at,
      },
    ]);
    return { noted: owner.id };
  },
  screens: [
    ...screensOf<Ids>("admin", {
      "user-notes": ({ noted }) => `/manager/users/${noted}/notes`,
      "user-metadata": ({ noted }) => `/manager/users/${noted}/notes?name=crm_id`,
    }),
  ],
  async translated({ manager, ofManager }) {
    const notes = `/manager/users/${manager.id}/notes`;
    return [["manager, notes about a user", ofManager, (browser) => browser.get(notes)]];
  },
  personal: ["user_note", "user_metadata"],
  async know(insert, { id, at, key }) {
    await insert("user_note", {
      id: key("note"),
      user_id: id,
      author_id: null,
      text: "Called back.",
      created_at: at,
    });
    await insert("user_metadata", { user_id: id, name: "crm_id", value: "4711", updated_at: at });
  },
} satisfies FeatureTests<Ids>;
