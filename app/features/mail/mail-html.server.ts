import { directionOf, fontScaleOf, type Language } from "../../i18n/languages.ts";
import type { MailBrand, MailLogo } from "./mail-brand.ts";

// The HTML of a mail, as mail clients read it: tables, styles in attributes, and no images, which many clients hide.

const INK = "#211f26";
const MUTED = "#65636d";
const LINE = "#e3dfe6";

/** Returns the document of a mail. `footer` is the small print below its card. */
export function mailDocument(mail: {
  language: Language;
  brand: MailBrand;
  subject: string;
  preview: string;
  body: string[];
  footer: string[];
}): string {
  const { language, brand, subject, preview, body, footer } = mail;
  const size = Math.round(16 * fontScaleOf(language));
  const dir = directionOf(language);
  const text = `text-align:${dir === "rtl" ? "right" : "left"};font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans Arabic',Arial,sans-serif;line-height:1.5`;
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
@media (max-width: 480px) {
  .around { padding: 16px 12px !important; }
  .card { padding: 24px 20px !important; }
  .footer { padding: 16px 20px 0 !important; }
}
@media (prefers-color-scheme: dark) {
  body, .page { background: #121113 !important; }
  .card { background: #1a191b !important; border-color: #323035 !important; }
  .card, .card h1, .card p, .card .name { color: #eeeef0 !important; }
  .card .quiet, .footer, .footer p { color: #b5b2bc !important; }
  .code { background: #232225 !important; color: #eeeef0 !important; }
  img.light { display: none !important; }
  img.dark { display: block !important; }
  .footer a, .link { color: ${brand.accent.inkOnDark} !important; }
}
</style>
</head>
<body style="margin:0;background:#fdfcfd">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}${padding}</div>
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#fdfcfd"><tr><td class="around" align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px">
<tr><td height="4" bgcolor="${brand.accent.ink}" style="height:4px;border-radius:12px 12px 0 0;background:${brand.accent.ink};font-size:0;line-height:4px">&nbsp;</td></tr>
<tr><td class="card" dir="${dir}" style="background:#ffffff;border:1px solid ${LINE};border-top:0;border-radius:0 0 12px 12px;padding:28px 32px 32px;${text};font-size:${size}px;color:${INK}">
${sender(size, brand)}
${body.filter(Boolean).join("\n")}
</td></tr>
<tr><td class="footer" dir="${dir}" style="padding:20px 32px 0;${text};font-size:${Math.round(size * 0.8)}px;color:${MUTED}">
${footer.filter(Boolean).join("\n")}
</td></tr>
</table>
</td></tr></table>
</body>
</html>`;
}

export function heading(text: string): string {
  return `<h1 style="margin:0 0 8px;font-size:22px;line-height:1.3;color:${INK}">${escapeHtml(text)}</h1>`;
}

export function paragraph(text: string): string {
  return `<p style="margin:0 0 16px;color:${INK}">${escapeHtml(text)}</p>`;
}

export function quietParagraph(text: string): string {
  return `<p class="quiet" style="margin:16px 0 0;font-size:.875em;color:${MUTED}">${escapeHtml(text)}</p>`;
}

export function quietLink(label: string, link: string, { accent }: MailBrand): string {
  return `<p style="margin:8px 0 0;font-size:.875em"><a class="link" href="${escapeHtml(link)}" style="color:${accent.ink}">${escapeHtml(label)}</a></p>`;
}

export function footerParagraph(text: string): string {
  return `<p style="margin:0 0 8px;color:${MUTED}">${escapeHtml(text)}</p>`;
}

/** A URL as text, for a client that shows no button, and for copying. */
export function linkText(label: string, link: string, { accent }: MailBrand): string {
  return `<p style="margin:0 0 8px;color:${MUTED}">${escapeHtml(label)}<br><a href="${escapeHtml(link)}" dir="ltr" style="color:${accent.ink};word-break:break-all">${escapeHtml(link)}</a></p>`;
}

export function codeBox(code: string): string {
  // The indent balances the space after the last digit.
  return `<p class="code" dir="ltr" style="margin:0 0 16px;padding:16px 8px;border-radius:8px;background:#f2eff3;color:${INK};text-align:center;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:36px;line-height:44px;letter-spacing:8px;text-indent:8px;font-weight:700">${escapeHtml(code)}</p>`;
}

export function button(label: string, link: string, { accent }: MailBrand): string {
  return `<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${accent.solid};color:#ffffff;font-weight:600;text-align:center;text-decoration:none">${escapeHtml(label)}</a></p>`;
}

/** The product's mark and name. A client that hides images shows the name alone. */
function sender(size: number, { name, logo, accent }: MailBrand): string {
  const font = `font-size:${size}px;font-weight:600;color:${INK}`;
  const isWordMark = [logo?.light, logo?.dark].every((one) => one && one.width > 2 * one.height);
  // A word mark shows the name, so the name is its alternative text.
  const mark = logo ? logoMarks(logo, isWordMark ? name : "", font) : gateMark(accent.ink);
  const cell = mark && `<td style="padding-inline-end:10px">${mark}</td>`;
  const text = `<td class="name" style="padding:0;${font}">${escapeHtml(name)}</td>`;
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 24px"><tr>${cell}${isWordMark ? "" : text}</tr></table>`;
}

/** The logos of both themes, of which a client shows one. Outlook knows no themes and shows the light one. */
function logoMarks(
  { light, dark }: NonNullable<MailBrand["logo"]>,
  alt: string,
  font: string,
): string {
  if (light?.src === dark?.src) return logoMark(light, alt, "name", `display:block;${font}`);
  return (
    logoMark(light, alt, "name light", `display:block;${font}`) +
    logoMark(dark, alt, "name dark", `display:none;mso-hide:all;${font}`)
  );
}

/** A logo 32 px high, or 160 px wide if it is a long word mark. `style` has the font of `alt`. */
function logoMark(logo: MailLogo | undefined, alt: string, classes: string, style: string): string {
  if (!logo) return "";
  const scale = Math.min(32 / logo.height, 160 / logo.width);
  const [width, height] = [logo.width, logo.height].map((side) => Math.ceil(side * scale));
  return `<img src="${escapeHtml(logo.src)}" alt="${escapeHtml(alt)}" width="${width}" height="${height}" class="${classes}" style="${style}">`;
}

/** The open gate, 32 px wide and high, drawn with cells because a mail client may hide images. */
function gateMark(color: string): string {
  const strips = [strip(11, 0), strip(2, 6), strip(3, 10), strip(16, 12)];
  return `<table role="presentation" aria-hidden="true" width="32" cellpadding="0" cellspacing="0"><tr><td width="32" height="32" dir="ltr" bgcolor="${color}" style="width:32px;height:32px;border-radius:16px 16px 2px 2px;background:${color};font-size:0;line-height:0">${strips.join("")}</td></tr></table>`;
}

/** A part of the mark: its height, and how wide its opening is. */
function strip(height: number, opening: number): string {
  const side = `<td width="${(32 - opening) / 2}" height="${height}"></td>`;
  const middle = `<td width="${opening}" height="${height}" bgcolor="#ffffff"></td>`;
  return `<table role="presentation" width="32" cellpadding="0" cellspacing="0"><tr>${side}${opening ? middle : ""}${side}</tr></table>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
