import { i18nFor } from "../../i18n/i18n.server.ts";
import type { Language } from "../../i18n/languages.ts";
import { emailOfLink } from "../../ui/text/email-of-link.ts";
import { isolate } from "../../ui/text/isolate.ts";
import type { MailBrand } from "./mail-brand.ts";
import { contentOf } from "./mail-content.server.ts";
import type { MailWriters } from "./mail-content.ts";
import {
  button,
  codeBox,
  footerParagraph,
  heading,
  linkText,
  mailDocument,
  paragraph,
  quietLink,
  quietParagraph,
} from "./mail-html.server.ts";
import type { MailMessage, RenderedMail } from "./mail-message.ts";

type Delivery = {
  recipient: string;
  language: Language;
  baseUrl: string;
  brand: MailBrand;
  writers: MailWriters;
};

/**
 * Renders a mail in the recipient's language. The same message always gives the same mail, so a retry may reuse its
 * idempotency key.
 */
export function renderMail(message: MailMessage, delivery: Delivery): RenderedMail {
  const { recipient, language, baseUrl, brand, writers } = delivery;
  const content = contentOf(message, language, { product: brand.name, writers });
  const { subject, preview, title, code, link, origin, quiet, reason = "account" } = content;
  const [lead = "", ...paragraphs] = content.paragraphs;
  const i18n = i18nFor(language);
  const t = i18n.getFixedT(language, "mail");
  const names = { email: isolate(recipient), host: isolate(new URL(baseUrl).host) };
  const supportUrl = content.isToSupport && brand.supportUrl;
  const support = i18n.getFixedT(language, "common")("support");
  const supportEmail = supportUrl ? emailOfLink(supportUrl) : undefined;
  const supportLabel = supportEmail ? `${support} (${isolate(supportEmail)})` : support;
  const why = t(`footer.${reason}`, names);
  return {
    subject,
    text: [
      title,
      lead,
      code && `    ${code}`,
      ...paragraphs,
      link && `${link.label}\n${link.to}`,
      origin,
      quiet,
      supportUrl && `${support}\n${supportEmail ?? supportUrl}`,
      why,
      brand.footer,
    ]
      .filter(Boolean)
      .join("\n\n"),
    html: mailDocument({
      language,
      brand,
      subject,
      preview,
      body: [
        heading(title),
        paragraph(lead),
        code ? codeBox(code) : "",
        ...paragraphs.map(paragraph),
        link ? button(link.label, link.to, brand) : "",
        origin ? quietParagraph(origin) : "",
        quiet ? quietParagraph(quiet) : "",
        supportUrl ? quietLink(supportLabel, supportUrl, brand) : "",
      ],
      footer: [
        footerParagraph(why),
        link ? linkText(t("footer.link"), link.to, brand) : "",
        brand.footer ? footerParagraph(brand.footer) : "",
      ],
    }),
  };
}
