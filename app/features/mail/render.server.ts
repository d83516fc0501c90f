import { directionOf, fontScaleOf, type Language } from "../../i18n/languages.ts";
import { contentOf } from "./mail-content.server.ts";
import type { MailMessage, RenderedMail } from "./mail-message.ts";

/**
 * Renders a mail in the recipient's language. The same message always gives the same mail, so a retry may reuse its
 * idempotency key.
 */
export function renderMail(message: MailMessage, language: Language): RenderedMail {
  const content = contentOf(message, language);
  const { subject, title, code, link, quiet } = content;
  const [lead = "", ...paragraphs] = content.paragraphs;
  return {
    subject,
    text: [
      title,
      lead,
      code && `    ${code}`,
      ...paragraphs,
      link && `${link.label}\n${link.to}`,
      quiet,
    ]
      .filter(Boolean)
      .join("\n\n"),
    html: layout({
      language,
      subject,
      preview: content.preview,
      body: [
        heading(title),
        paragraph(lead),
        code ? codeBox(code) : "",
        ...paragraphs.map(paragraph),
        link ? button(link.label, link.to) : "",
        quiet ? quietParagraph(quiet) : "",
      ],
    }),
  };
}

function layout(mail: {
  language: Language;
  subject: string;
  preview: string;
  body: string[];
}): string {
  const { language, subject, preview, body } = mail;
  const size = Math.round(16 * fontScaleOf(language));
  const dir = directionOf(language);
  // These spaces keep mail clients from showing the start of the body after the preview.
  const padding = "&#8199;&#65279;&#847; ".repeat(30);
  return `<!doctype html>
<html lang="${language}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  body, .page { background: #121113 !important; }
  .card { background: #1a191b !important; border-color: #323035 !important; }
  .card, .card h1, .card p { color: #eeeef0 !important; }
  .card .quiet { color: #b5b2bc !important; }
  .code { background: #232225 !important; color: #eeeef0 !important; }
}
</style>
</head>
<body style="margin:0;background:#fdfcfd">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}${padding}</div>
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#fdfcfd"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px"><tr><td class="card" dir="${dir}" style="background:#ffffff;border:1px solid #e3dfe6;border-radius:12px;padding:32px;text-align:${dir === "rtl" ? "right" : "left"};font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans Arabic',Arial,sans-serif;font-size:${size}px;line-height:1.5;color:#211f26">
<p style="margin:0 0 24px;font-size:14px;font-weight:600;color:#211f26">Gatehouse</p>
${body.join("\n")}
</td></tr></table>
</td></tr></table>
</body>
</html>`;
}

function heading(text: string): string {
  return `<h1 style="margin:0 0 8px;font-size:22px;line-height:28px;color:#211f26">${escapeHtml(text)}</h1>`;
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px;color:#211f26">${escapeHtml(text)}</p>`;
}

function quietParagraph(text: string): string {
  return `<p class="quiet" style="margin:24px 0 0;font-size:13px;line-height:20px;color:#65636d">${escapeHtml(text)}</p>`;
}

function codeBox(code: string): string {
  return `<p class="code" dir="ltr" style="margin:0 0 16px;padding:16px;border-radius:8px;background:#f2eff3;color:#211f26;text-align:center;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:32px;line-height:40px;letter-spacing:8px;font-weight:700">${escapeHtml(code)}</p>`;
}

function button(label: string, link: string): string {
  return `<p style="margin:24px 0 0"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#953ea3;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
