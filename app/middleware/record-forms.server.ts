import { data } from "react-router";
import { statusOf } from "../features/owned/owned-errors.ts";
import type {
  ChosenRows,
  OwnedAct,
  OwnedCall,
  RestoreError,
} from "../features/owned/owned-rows.server.ts";
import { type FormResult, invalid } from "../http/forms.server.ts";
import { notFound } from "../http/responses.ts";
import { redirectWithToast } from "../http/toast.ts";
import type { ErrorCode, MessageKey } from "../i18n/message-key.ts";
import type { BulkReport } from "../lists/bulk/bulk-report.ts";

type Intent = "delete" | "restore";

/** What `ownedRows` returns of these. */
type Rows<Call extends OwnedCall> = {
  remove: (call: Call, ids: string[]) => Promise<Set<string>>;
  restore: (call: Call, ids: string[]) => Promise<Map<string, RestoreError | undefined>>;
  refusalOf: (call: Call, act: OwnedAct) => Promise<ErrorCode | undefined>;
  changeChosen: (
    call: Call,
    ids: string[],
    intent: Intent,
    chosen: ChosenRows,
  ) => Promise<BulkReport>;
};

const NOT_RESTORED: Readonly<Record<RestoreError, MessageKey>> = {
  taken: "records:taken",
  there_again: "records:thereAgain",
  not_deleted: "records:notDeleted",
};

/**
 * Refuses a form whose act the actor may not do, before it is read; 404 where they see no owner. Returns undefined when
 * they may.
 * @public Called by the screens that `npm run new` writes.
 */
export async function refuseRecord<Call extends OwnedCall>(
  rows: Pick<Rows<Call>, "refusalOf">,
  call: Call,
  act: OwnedAct,
) {
  const code = await rows.refusalOf(call, act);
  if (code === "ORGANIZATION_NOT_FOUND") notFound();
  if (!code) return undefined;
  const errors = { "": [`codes:${code}`] };
  return invalid({ values: {}, errors }, errors, { status: statusOf(code) });
}

/**
 * Answers the forms of a row's screen: its deletion, which can be undone, and its restoration.
 * @public Called by the screens that `npm run new` writes.
 */
export async function changeRecord<Call extends OwnedCall>(
  rows: Rows<Call>,
  call: Call,
  { id, intent, result }: { id: string; intent: Intent; result: FormResult },
  { list, item }: { list: string; item: string },
) {
  const code = await rows.refusalOf(call, intent);
  if (code === "ORGANIZATION_NOT_FOUND") notFound();
  if (code) return invalid(result, { "": [`codes:${code}`] }, { status: statusOf(code) });
  if (intent === "delete") {
    const deleted = await rows.remove(call, [id]);
    if (!deleted.has(id)) notFound();
    const undo = { action: item, intent: "restore" };
    return redirectWithToast(list, { kind: "success", message: "records:toast.deleted", undo });
  }
  const error = (await rows.restore(call, [id])).get(id);
  if (!error) {
    return redirectWithToast(item, { kind: "success", message: "records:toast.restored" });
  }
  const isThere = error === "there_again";
  return redirectWithToast(isThere ? item : list, {
    kind: isThere ? "info" : "error",
    message: NOT_RESTORED[error],
  });
}

/**
 * Answers the form of a list's chosen rows.
 * @public Called by the screens that `npm run new` writes.
 */
export async function changeChosenRecords<Call extends OwnedCall>(
  rows: Rows<Call>,
  call: Call,
  { intent, id: ids }: { intent: Intent; id: string[] },
  chosen: ChosenRows,
) {
  const code = await rows.refusalOf(call, intent);
  if (code === "ORGANIZATION_NOT_FOUND") notFound();
  if (code) return data({ error: `codes:${code}` as const }, { status: statusOf(code) });
  return { report: await rows.changeChosen(call, ids, intent, chosen) };
}
