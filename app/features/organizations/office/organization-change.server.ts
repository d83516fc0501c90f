import { z } from "zod";
import type { Db } from "../../../db/db.server.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import type { CheckedMessage } from "../../../ui/text/message.tsx";
import type { Act } from "../../access/act.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { OFFICE_ACTS } from "../acts.ts";
import {
  addMember,
  changeMemberRole,
  RESTORE_REFUSALS,
  removeMember,
  restoreMember,
  transferOwnership,
} from "../members/member-commands.server.ts";
import { updateOrganization } from "../settings/organization-commands.server.ts";
import {
  type DeletionServices,
  restoreOrganization,
  startOrganizationDeletion,
} from "../settings/organization-deletion.server.ts";
import { disableOrganization, enableOrganization } from "../settings/organization-state.server.ts";
import type { OrganizationCall, Refusal } from "../standing.server.ts";
import { OrganizationChange } from "./input.ts";

type Changes = { [C in OrganizationChange as C["intent"]]: C };

/** What the commands need beside the call. */
export type OfficeServices = DeletionServices & { db: Db };

/** Messages that replace `codes:<code>`. */
export type RefusalMessages = Partial<Record<ErrorCode, CheckedMessage>>;

type Command<Change> = {
  act: Act;
  run: (
    call: OrganizationCall,
    change: Change,
    services: OfficeServices,
  ) => Promise<{ ok: true } | Refusal>;
  done: CheckedMessage;
  refusals?: RefusalMessages;
  /** Fields that a refusal is about. Other refusals are toasts. */
  fields?: Partial<Record<ErrorCode, keyof Change & string>>;
};

/** Commands of an organization's screen: act, function, messages and fields. */
const ORGANIZATION_COMMANDS: { [I in keyof Changes]: Command<Changes[I]> } = {
  rename: {
    act: OFFICE_ACTS.rename,
    run: updateOrganization,
    done: "manager-organizations:toast.renamed",
    fields: { ORGANIZATION_SLUG_ALREADY_TAKEN: "slug", TOO_MANY_REQUESTS: "slug" },
  },
  "add-member": {
    act: OFFICE_ACTS["add-member"],
    run: addMember,
    done: "manager-organizations:toast.memberAdded",
    refusals: {
      USER_NOT_FOUND: "manager-organizations:refusal.noUser",
      YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS:
        "manager-organizations:refusal.tooManyOrganizations",
    },
    fields: {
      USER_NOT_FOUND: "email",
      USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: "email",
      YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: "email",
    },
  },
  "set-role": {
    act: OFFICE_ACTS["set-role"],
    run: (call, { member, newRole }) => changeMemberRole(call, { memberId: member }, newRole),
    done: "manager-organizations:toast.roleChanged",
    refusals: {
      YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER: "manager-organizations:refusal.onlyOwner",
    },
    fields: { YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER: "newRole" },
  },
  "remove-member": {
    act: OFFICE_ACTS["remove-member"],
    run: (call, { member }) => removeMember(call, { memberId: member }),
    done: "manager-organizations:toast.memberRemoved",
    refusals: {
      YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
        "manager-organizations:refusal.onlyOwner",
    },
    fields: { YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: "member" },
  },
  "restore-member": {
    act: OFFICE_ACTS["restore-member"],
    run: (call, { member }) => restoreMember(call, member),
    done: "organizations:toast.memberRestored",
    refusals: RESTORE_REFUSALS,
  },
  transfer: {
    act: OFFICE_ACTS.transfer,
    run: (call, { member }) => transferOwnership(call, { memberId: member }),
    done: "manager-organizations:toast.transferred",
  },
  disable: {
    act: OFFICE_ACTS.disable,
    run: (call, { reason }) => disableOrganization(call, reason),
    done: "manager-organizations:toast.disabled",
  },
  enable: {
    act: OFFICE_ACTS.enable,
    run: (call) => enableOrganization(call),
    done: "manager-organizations:toast.enabled",
  },
  delete: {
    act: OFFICE_ACTS.delete,
    run: (call, { typedName }, services) => startOrganizationDeletion(call, services, typedName),
    done: "manager-organizations:toast.deletionStarted",
    fields: { WRONG_ORGANIZATION_NAME: "typedName" },
  },
  restore: {
    act: OFFICE_ACTS.restore,
    run: (call) => restoreOrganization(call),
    done: "manager-organizations:toast.restored",
  },
};

/** A change that a feature adds to the screen. */
export type FeatureChange = Omit<Command<unknown>, "fields"> & {
  input: z.ZodObject<{ intent: z.ZodLiteral<string> }>;
  fields?: Partial<Record<ErrorCode, string>>;
};

export type FeatureChanges = Readonly<Record<string, FeatureChange>>;

/** Makes a change of a feature for the table of all: it reads its own input. */
export function featureChange<Input extends FeatureChange["input"]>(
  input: Input,
  change: Command<z.infer<Input>>,
): FeatureChange {
  return {
    ...change,
    input,
    run: (call, given, services) => change.run(call, input.parse(given), services),
  };
}

/** Returns the forms of the screen, with those of features. */
export function organizationForms(ofFeatures: FeatureChanges) {
  return z.discriminatedUnion("intent", [
    ...OrganizationChange.options,
    ...Object.values(ofFeatures).map(({ input }) => input),
  ]);
}

/** True for a change of the core. */
export function isOfCore(change: { intent: string }): change is OrganizationChange {
  return Object.hasOwn(ORGANIZATION_COMMANDS, change.intent);
}

/** Returns the act of a change. */
export function actOf(change: { intent: string }, ofFeatures: FeatureChanges): Act {
  return commandOf(change, ofFeatures).act;
}

function commandOf(change: { intent: string }, ofFeatures: FeatureChanges) {
  const command = isOfCore(change)
    ? ORGANIZATION_COMMANDS[change.intent]
    : ofFeatures[change.intent];
  if (!command) throw new Error(`No feature has the change "${change.intent}"`);
  return command;
}

export type Outcome =
  | { ok: true; message: CheckedMessage }
  /** `field` is the field that the refusal is about. */
  | { ok: false; code: ErrorCode; message: CheckedMessage; field?: string };

export function messageOf(code: ErrorCode, messages: RefusalMessages = {}): CheckedMessage {
  return messages[code] ?? (`codes:${code}` as CheckedMessage);
}

/** Runs a command of an organization's screen and returns the message to show. */
export async function changeOrganization(
  services: OfficeServices,
  actor: Actor,
  id: string,
  change: { intent: string },
  ofFeatures: FeatureChanges,
): Promise<Outcome> {
  if (isOfCore(change)) return runOfCore(change.intent, change);
  const command = ofFeatures[change.intent];
  if (!command) throw new Error(`No feature has the change "${change.intent}"`);
  return run(command, change);

  function runOfCore<I extends keyof Changes>(intent: I, input: Changes[I]): Promise<Outcome> {
    return run(ORGANIZATION_COMMANDS[intent], input);
  }

  async function run<Change>(
    { run: command, done, refusals, fields }: RunnableCommand<Change>,
    input: Change,
  ): Promise<Outcome> {
    const call = { db: services.db, actor, key: { id }, as: "manager" } as const;
    const result = await command(call, input, services);
    if (result.ok) return { ok: true, message: done };
    const { code } = result;
    return { ok: false, code, message: messageOf(code, refusals), field: fields?.[code] };
  }
}

type RunnableCommand<Change> = Omit<Command<Change>, "fields"> & {
  fields?: Partial<Record<ErrorCode, string>>;
};
