export {
  invitation,
  invitationLink,
  invitationLinkUser,
  member,
  oldSlug,
  organization,
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
  bin,
  COUNTED,
  codeEvent,
  counter,
  erasedAccount,
  mailOutbox,
  mailPause,
  refusingMailbox,
  scheduledRun,
  signInCode,
  signInStep,
  slotCount,
} from "./records.ts";
export { accessDomain, admittedEmail, brand, setUp, siteSetting } from "./settings.ts";
