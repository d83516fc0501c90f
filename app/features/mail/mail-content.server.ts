import type { Language } from "../../i18n/languages.ts";
import { isolate } from "../../ui/text/isolate.ts";
import type { Content, MailWriters } from "./mail-content.ts";
import type { CoreMessage, MailMessage } from "./mail-message.ts";
import { type Phrases, phrasesOf } from "./mail-phrases.server.ts";

type Messages = { [M in CoreMessage as M["kind"]]: M };

/** Writes the texts of a mail. Every kind of mail has one. */
type Writer<M> = (message: M, phrases: Phrases) => Content;

/** Returns the texts of a mail in a language. `product` is the product's name. */
export function contentOf(
  message: MailMessage,
  language: Language,
  { product, writers }: { product: string; writers: MailWriters },
): Content {
  const phrases = phrasesOf(language, product);
  const writer = writers[message.kind];
  // The table of writers is made of the same facts as the kinds.
  if (writer) return writer.write(message as never, phrases);
  return write(message.kind as CoreMessage["kind"], message as never);

  function write<K extends keyof Messages>(kind: K, written: Messages[K]): Content {
    return WRITERS[kind](written, phrases);
  }
}

const WRITERS: { [K in keyof Messages]: Writer<Messages[K]> } = {
  "login-code": (message, { t, originOf }) => {
    return {
      subject: t("loginCode.subject", { code: message.code }),
      preview: t("loginCode.preview", { count: message.validMinutes }),
      title: t("loginCode.title"),
      paragraphs: [t("loginCode.intro"), t("loginCode.validity", { count: message.validMinutes })],
      code: message.code,
      link: { label: t("loginCode.open"), to: message.link },
      origin: originOf(message.request),
      quiet: t("loginCode.ignore"),
      reason: "entered",
    };
  },
  "account-code": (message, { t, originOf }) => {
    const intro = t(`accountCode.${message.purpose}`);
    return {
      subject: t("accountCode.subject", { code: message.code }),
      preview: intro,
      title: t("accountCode.title"),
      paragraphs: [intro, t("loginCode.validity", { count: message.validMinutes })],
      code: message.code,
      origin: originOf(message.request),
      quiet: t("accountCode.ignore"),
      reason: message.purpose === "email-new" ? "entered" : "account",
    };
  },
  "email-taken": (_message, { t }) => {
    return {
      subject: t("emailTaken.subject"),
      preview: t("emailTaken.text"),
      title: t("emailTaken.title"),
      paragraphs: [t("emailTaken.text")],
      quiet: t("emailTaken.ignore"),
      reason: "entered",
    };
  },
  "email-changed": (message, { t }) => {
    return {
      subject: t("emailChanged.subject"),
      preview: t("emailChanged.text", { email: isolate(message.newEmail) }),
      title: t("emailChanged.title"),
      paragraphs: [
        t("emailChanged.text", { email: isolate(message.newEmail) }),
        t("emailChanged.methods"),
      ],
      quiet: t("emailChanged.ignore"),
      isToSupport: true,
      reason: "former",
    };
  },
  "email-replaced": (_message, { t, notice }) => {
    return {
      ...notice("emailReplaced"),
      quiet: t("emailReplaced.ignore"),
      isToSupport: true,
      reason: "former",
    };
  },
  "email-assigned": (message, { t, notice }) => {
    return {
      ...notice("emailAssigned"),
      link: { label: t("emailAssigned.open"), to: message.link },
      quiet: t("emailAssigned.ignore"),
      isToSupport: true,
    };
  },
  "methods-removed": (message, { t, notice }) => {
    return {
      ...notice("methodsRemoved"),
      link: { label: t("methodsRemoved.open"), to: message.link },
      quiet: t("methodsRemoved.ignore"),
      isToSupport: true,
    };
  },
  "test-mail": (message, { t, notice }) => {
    return {
      ...notice("testMail"),
      link: { label: t("testMail.open"), to: message.link },
      quiet: t("testMail.ignore"),
    };
  },
  "passkey-released": (message, { t, notice }) => {
    return {
      ...notice("passkeyReleased"),
      link: { label: t("passkeyReleased.open"), to: message.link },
      quiet: t("passkeyReleased.ignore"),
      isToSupport: true,
    };
  },
  "roles-changed": (message, { t, list }) => {
    const roles = list(message.roles.map((role) => t(`rolesChanged.roles.${role}`)));
    const text = message.by
      ? t("rolesChanged.text", { name: isolate(message.by), roles })
      : t("rolesChanged.bySetting", { roles });
    return {
      subject: t("rolesChanged.subject"),
      preview: text,
      title: t("rolesChanged.subject"),
      paragraphs: [text],
      link: { label: t("rolesChanged.open"), to: message.link },
      quiet: t("rolesChanged.ignore"),
      isToSupport: true,
    };
  },
  "user-added": (message, { t }) => {
    const text = t("userAdded.text", { name: isolate(message.inviter) });
    return {
      subject: t("userAdded.subject"),
      preview: text,
      title: t("userAdded.title"),
      paragraphs: [text, t("userAdded.how")],
      link: { label: t("userAdded.open"), to: message.link },
      quiet: t("userAdded.ignore"),
    };
  },
  "organization-invitation": (message, { t }) => {
    const names = {
      inviter: isolate(message.inviter),
      organization: isolate(message.organization),
    };
    const text = t("organizationInvitation.text", names);
    return {
      subject: t("organizationInvitation.subject", names),
      preview: text,
      title: t("organizationInvitation.title", names),
      paragraphs: [
        text,
        t(`organizationInvitation.${message.role}`),
        t("organizationInvitation.validity", { count: message.validHours / 24 }),
      ],
      link: { label: t("organizationInvitation.open"), to: message.link },
      quiet: t("organizationInvitation.ignore"),
      reason: "entered",
    };
  },
  "organization-role-changed": (message, { t }) => {
    const organization = isolate(message.organization);
    const text = t("organizationRoleChanged.text", {
      name: isolate(message.by),
      organization,
      role: t(`organizationRoleChanged.roles.${message.role}`),
    });
    return {
      subject: t("organizationRoleChanged.subject", { organization }),
      preview: text,
      title: t("organizationRoleChanged.subject", { organization }),
      paragraphs: [text, t(`organizationInvitation.${message.role}`)],
      link: { label: t("organizationRoleChanged.open"), to: message.link },
      quiet: t("organizationRoleChanged.ignore"),
    };
  },
  "ownership-offered": (message, { t }) => {
    const names = {
      inviter: isolate(message.inviter),
      organization: isolate(message.organization),
    };
    const text = t("ownershipOffered.text", names);
    return {
      subject: t("ownershipOffered.subject", names),
      preview: text,
      title: t("ownershipOffered.title", names),
      paragraphs: [
        text,
        t("ownershipOffered.owner"),
        ...(message.handsOver ? [t("ownershipOffered.handsOver", names)] : []),
        t("ownershipOffered.validity"),
      ],
      link: { label: t("ownershipOffered.open"), to: message.link },
      quiet: t("ownershipOffered.ignore"),
    };
  },
  "new-device": (message, { t, deviceOf, occasionOf }) => {
    const device = deviceOf(message);
    return {
      subject: t("newDevice.subject"),
      preview: device,
      title: t("newDevice.title"),
      paragraphs: [occasionOf(message), t("newDevice.text")],
      link: { label: t("newDevice.open"), to: message.link },
    };
  },
  "sign-in-method-added": (message, { t, occasionOf }) => {
    const { type, name } = message.method;
    const added = t(`methodAdded.${type}`, { name: isolate(name) });
    return {
      subject: t("methodAdded.subject"),
      preview: added,
      title: t("methodAdded.title"),
      paragraphs: [added, occasionOf(message), t("methodAdded.text")],
      link: { label: t("methodAdded.open"), to: message.link },
    };
  },
  "deletion-started": (message, { t, moment }) => {
    return {
      subject: t("deletionStarted.subject"),
      preview: t("deletionStarted.text", { date: moment(message.dueAt) }),
      title: t("deletionStarted.title"),
      paragraphs: [
        t("deletionStarted.text", { date: moment(message.dueAt) }),
        t("deletionStarted.restore"),
      ],
      link: { label: t("deletionStarted.open"), to: message.link },
      quiet: t("deletionStarted.ignore"),
    };
  },
  "deletion-done": (_message, { t }) => {
    return {
      subject: t("deletionDone.subject"),
      preview: t("deletionDone.text"),
      title: t("deletionDone.title"),
      paragraphs: [t("deletionDone.text")],
      reason: "former",
    };
  },
  "organization-deletion-started": (message, { t, moment }) => {
    const values = { organization: isolate(message.organization), date: moment(message.dueAt) };
    return {
      subject: t("organizationDeletionStarted.subject", values),
      preview: t("organizationDeletionStarted.text", values),
      title: t("organizationDeletionStarted.title", values),
      paragraphs: [
        t("organizationDeletionStarted.text", values),
        t("organizationDeletionStarted.restore"),
      ],
      link: { label: t("organizationDeletionStarted.open"), to: message.link },
      quiet: t("organizationDeletionStarted.ignore"),
    };
  },
};
