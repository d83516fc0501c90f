export {
  invitation,
  member,
  oldSlug,
  organization,
  organizationRepository,
  team,
  teamMember,
} from "./organizations.ts";
export {
  account,
  accountCode,
  passkey,
  rateLimit,
  session,
  user,
  verification,
} from "./people.ts";
export {
  auditDeletion,
  auditEvent,
  bannedMailbox,
  batchGuard,
  codeEvent,
  counter,
  dayCount,
  deliveryCount,
  demoFill,
  figure,
  mailOutbox,
  mailPause,
  refusingMailbox,
  repository,
  scheduledRun,
  signInCode,
  wrongCodeCount,
} from "./records.ts";
export { accessDomain, brand, siteSetting, waitingList } from "./settings.ts";
