import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { readOf } from "../../db/read.server.ts";
import { brand, setUp, siteSetting } from "../../db/schema/schema.ts";
import { type Actor, eventBy } from "../audit/audit.server.ts";
import type { Config } from "../environment/config.ts";
import type { SetUpList } from "./set-up-list.ts";
import type { SystemStatus } from "./status.server.ts";

/** Conditions of the features: whether each of their steps is done. */
export type SetUpConditions = Readonly<Record<string, SQL>>;

/** Reads what the database knows of the steps, in one statement. */
export function readSetUp(conditions: SetUpConditions) {
  return readOf(
    (db) => selectSetUp(db, conditions),
    ([row]) => row,
  );
}

function selectSetUp(db: Db, conditions: SetUpConditions) {
  const ofFeatures = Object.entries(conditions).map(
    ([step, condition]) => sql`${step}, json(iif(${condition}, 'true', 'false'))`,
  );
  return db
    .select({
      isHidden: sql<number>`${isNotNull(setUp.hiddenAt)}`.as("is_hidden"),
      backupAt: setUp.backupAt,
      isBrandSaved: sql<number>`(SELECT ${isNotNull(brand.updatedAt)} FROM ${brand})`.as("branded"),
      // Saved as it was installed, the mode stays NULL, and the version tells of the save.
      isSignUpChosen:
        sql<number>`(SELECT ${isNotNull(siteSetting.signUpMode)} OR ${siteSetting.version} > 1 FROM ${siteSetting})`.as(
          "chosen",
        ),
      // A view: admins who can sign in.
      admins: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM eligible_admin LIMIT 2))`.as(
        "admins",
      ),
      ofFeatures: sql`json_object(${sql.join(ofFeatures, sql`, `)})`
        .mapWith((text): Record<string, boolean> => JSON.parse(text))
        .as("of_features"),
    })
    .from(setUp);
}

type Row = Awaited<ReturnType<typeof selectSetUp>>[number];

/**
 * Returns the list from the site's settings, the row that was read, and the facts about its mail.
 */
export function setUpListOf(
  { baseUrl, isLoopback, isProductNamed, signUpMode }: SetUpConfig,
  row: Row,
  { isLocal, acceptedAt }: Pick<SystemStatus["mail"], "isLocal" | "acceptedAt">,
): SetUpList {
  return {
    done: {
      domain: !isLoopback,
      // A mail in the local inbox does not prove that mail leaves.
      mail: !isLocal && acceptedAt !== null,
      brand: row.isBrandSaved === 1 || isProductNamed,
      signUp: row.isSignUpChosen === 1 || signUpMode !== "open",
      admin: row.admins > 1,
      backup: row.backupAt !== null,
    },
    ofFeatures: row.ofFeatures,
    isHidden: row.isHidden === 1,
    host: new URL(baseUrl).host,
    isMailLocal: isLocal,
    backupAt: row.backupAt,
  };
}

type SetUpConfig = Pick<Config, "baseUrl" | "isLoopback" | "isProductNamed" | "signUpMode">;

/** Statement that selects when the list was hidden. */
export function selectHiddenAt(db: Db) {
  return db.select({ hiddenAt: setUp.hiddenAt }).from(setUp);
}

/** Hides the list on the dashboard, or shows it again. False when nothing changed. */
export async function hideSetUp(db: Db, actor: Actor, isHidden: boolean): Promise<boolean> {
  const { hiddenAt } = setUp;
  const shown = (hidden: boolean) => ({ setUpList: hidden ? "hidden" : "shown" });
  const { isChanged } = await changeAndRecord(db, {
    change: db
      .update(setUp)
      .set({ hiddenAt: isHidden ? actor.source.now() : null })
      .where(and(eq(setUp.id, 1), isHidden ? isNull(hiddenAt) : isNotNull(hiddenAt))),
    event: eventBy(actor, "settings.changed", {
      details: { before: shown(!isHidden), after: shown(isHidden) },
    }),
  });
  return isChanged;
}
