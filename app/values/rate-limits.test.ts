import { expect, test } from "vitest";
import { MAIL_LIMITS, WRONG_CODES } from "./rate-limits.ts";
import { DAY_MS } from "./time.ts";

test("what strangers can cause on all paths together leaves room in a mailbox's mails of a day", () => {
  const { codeInterval, earlyCodes, trustedCodes, ownCodes, newEmailCodes } = MAIL_LIMITS;
  const { emailTakenMails, invitationMails, ownershipOffers, newDeviceMails, allMails } =
    MAIL_LIMITS;
  const byOthers = [emailTakenMails, invitationMails, ownershipOffers];
  const paths = [trustedCodes, ownCodes, newEmailCodes, ...byOthers];
  const byInterval = DAY_MS / codeInterval.windowMs;
  const sum = [...paths, earlyCodes, newDeviceMails].reduce((total, { max }) => total + max, 0);

  expect(byInterval + sum).toBeLessThanOrEqual(allMails.max);
});

test("a stranger's wrong codes of a day guess a code with a chance of at most 1 in 20,000", () => {
  // A try is compared with two codes: the browser's own and the mailbox's newest.
  expect((WRONG_CODES.max * 2) / 1_000_000).toBeLessThanOrEqual(1 / 20_000);
});
