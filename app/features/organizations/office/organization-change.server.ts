import type { Db } from "../../../db/db.server.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import type { CheckedMessage } from "../../../ui/text/message.tsx";
import type { Permission } from "../../access/permissions.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { shareRepository, unshareRepository } from "../../sharing/sharing.server.ts";
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
import { type OrganizationCall, type Refusal, refuse } from "../standing.server.ts";
import type { OrganizationChange } from "./input.ts";

type Changes = { [C in OrganizationChange as C["intent"]]: C };

/** What the commands need beside the call. */
export type OfficeServices = DeletionServices & {
  db: Db;
  findRepositoryByName: (name: string) => Promise<{ id: string } | undefined>;
};

/** Messages that replace `codes:<code>`. */
export type RefusalMessages = Partial<Record<ErrorCode, CheckedMessage>>;

type Command<Change> = {
  permission: Permission;
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

/** Commands of an organization's screen: permission, function, messages and fields. */
export const ORGANIZATION_COMMANDS: { [I in keyof Changes]: Command<Changes[I]> } = {
  rename: {
    permission: ["organization", "update"],
    run: updateOrganization,
    done: "manager-organizations:toast.renamed",
    fields: { ORGANIZATION_SLUG_ALREADY_TAKEN: "slug", TOO_MANY_REQUESTS: "slug" },
  },
  "add-member": {
    permission: ["organization", "update"],
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
    permission: ["organization", "update"],
    run: (call, { member, newRole }) => changeMemberRole(call, { memberId: member }, newRole),
    done: "manager-organizations:toast.roleChanged",
    refusals: {
      YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER: "manager-organizations:refusal.onlyOwner",
    },
    fields: { YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER: "newRole" },
  },
  "remove-member": {
    permission: ["organization", "update"],
    run: (call, { member }) => removeMember(call, { memberId: member }),
    done: "manager-organizations:toast.memberRemoved",
    refusals: {
      YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
        "manager-organizations:refusal.onlyOwner",
    },
    fields: { YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: "member" },
  },
  "restore-member": {
    permission: ["organization", "update"],
    run: (call, { member }) => restoreMember(call, member),
    done: "organizations:toast.memberRestored",
    refusals: RESTORE_REFUSALS,
  },
  transfer: {
    permission: ["organization", "update"],
    run: (call, { member }) => transferOwnership(call, { memberId: member }),
    done: "manager-organizations:toast.transferred",
  },
  share: {
    permission: ["organization", "update"],
    run: shareByName,
    done: "manager-organizations:toast.shared",
    refusals: { REPOSITORY_NOT_FOUND: "manager-organizations:refusal.noRepository" },
    fields: { REPOSITORY_NOT_FOUND: "repositoryName" },
  },
  unshare: {
    permission: ["organization", "update"],
    run: (call, { repository: id }) => unshareRepository(call, id),
    done: "manager-organizations:toast.unshared",
  },
  disable: {
    permission: ["organization", "update"],
    run: (call, { reason }) => disableOrganization(call, reason),
    done: "manager-organizations:toast.disabled",
  },
  enable: {
    permission: ["organization", "update"],
    run: (call) => enableOrganization(call),
    done: "manager-organizations:toast.enabled",
  },
  delete: {
    permission: ["organization", "delete"],
    run: (call, { typedName }, services) => startOrganizationDeletion(call, services, typedName),
    done: "manager-organizations:toast.deletionStarted",
    fields: { WRONG_ORGANIZATION_NAME: "typedName" },
  },
  restore: {
    permission: ["organization", "delete"],
    run: (call) => restoreOrganization(call),
    done: "manager-organizations:toast.restored",
  },
};

/** Shares the repository with this name. Names are unique. */
async function shareByName(
  call: OrganizationCall,
  { repositoryName }: Changes["share"],
  { findRepositoryByName }: OfficeServices,
) {
  const found = await findRepositoryByName(repositoryName);
  return found ? shareRepository(call, found.id) : refuse("REPOSITORY_NOT_FOUND");
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
  change: OrganizationChange,
): Promise<Outcome> {
  return run(change.intent, change);

  async function run<I extends keyof Changes>(intent: I, input: Changes[I]): Promise<Outcome> {
    const { run: command, done, refusals, fields } = ORGANIZATION_COMMANDS[intent];
    const call = { db: services.db, actor, key: { id }, as: "manager" } as const;
    const result = await command(call, input, services);
    if (result.ok) return { ok: true, message: done };
    const { code } = result;
    return { ok: false, code, message: messageOf(code, refusals), field: fields?.[code] };
  }
}
