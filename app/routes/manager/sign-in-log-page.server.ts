import { href, type RouterContextProvider, redirect } from "react-router";
import { findEmailOf, signInEventsOf } from "../../features/audit/sign-in-events.server.ts";
import { stepsOf, troubledUsers } from "../../features/auth/codes/sign-in-steps.server.ts";
import { STEP_DAYS } from "../../features/auth/codes/sign-in-steps.ts";
import { allMailboxesOf } from "../../features/auth/mailbox.ts";
import { signInVerdict } from "../../features/auth/sign-in/sign-in-verdict.server.ts";
import { timelineOf } from "../../features/auth/sign-in/timeline.ts";
import { codeMailsTo } from "../../features/mail/code-mails.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { Email } from "../../values/email.ts";
import { DAY_MS } from "../../values/time.ts";

type Context = Readonly<RouterContextProvider>;

/**
 * Loads the sign-in log of one e-mail. `asked` is the e-mail, or the id of a user or request.
 * Without `asked`, it loads the users whose sign-in had trouble in the last day.
 */
export async function readSignInLog(context: Context, asked: string) {
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const email = Email.safeParse(asked).data;
  if (email) {
    const found = await readEmail(context, email, now);
    return { asked, now, found, troubled: [], isUnknown: false };
  }
  if (asked === "") {
    const troubled = troubledUsers(now);
    const rows = troubled.means(await troubled.select(db));
    return { asked, now, found: undefined, troubled: rows, isUnknown: false };
  }
  const owner = await findEmailOf(db, asked.slice(0, 64));
  if (owner) {
    const search = new URLSearchParams({ email: owner });
    throw redirect(`${href("/manager/mail/sign-in")}?${search}`);
  }
  return { asked, now, found: undefined, troubled: [], isUnknown: true };
}

async function readEmail(context: Context, email: string, now: Date) {
  const { db, keys, refusalRuleOf } = context.get(servicesContext);
  const since = new Date(now.getTime() - STEP_DAYS * DAY_MS);
  const mailboxes = await allMailboxesOf(keys, email);
  const mails = codeMailsTo(email, since);
  const events = signInEventsOf(email, since);
  const steps = stepsOf(mailboxes, now);
  const verdict = signInVerdict(email, { mailboxes, rule: refusalRuleOf(email, now), now });
  const [ofMails, ofEvents, ofSteps, ofVerdict] = await db.batch([
    mails.select(db),
    events.select(db),
    steps.select(db),
    verdict.select(db),
  ]);
  const timeline = timelineOf({
    mails: mails.means(ofMails),
    events: events.means(ofEvents),
    steps: steps.means(ofSteps),
  });
  return { email, timeline, ...verdict.means(ofVerdict) };
}
