import type { Language } from '#domain/languages.ts';
import { brandColors } from '#domain/organizations/brand-color.ts';
import { defaultBrandColor, type OrganizationBrand } from '#domain/organizations/contract.ts';
import { cleanName } from './clean-name.ts';

/** The content of a mail: a greeting, a text, one button, and what to do if it was not requested. */
export interface EmailContent {
  subject: string;
  heading: string;
  text: string;
  button: { label: string; url: string };
  footer: string;
  /** The language of the mail, English by default. */
  language?: Language;
  /** The organization's brand; null for an account without an organization. */
  brand: OrganizationBrand | null;
}

const escapeHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/**
 * Returns the bodies of the mail as text and HTML. The HTML escapes all input, and uses tables and inline
 * styles, because mail programs support little else.
 */
export function renderEmail(content: EmailContent) {
  const { heading, text, button, footer, brand } = content;
  const name = brand && cleanName(brand.name);
  const bodyText = `${heading}\n\n${text}\n\n${button.label}: ${button.url}\n\n${footer}\n${name ? `\n${name}\n` : ''}`;
  const bodyHtml = `<!doctype html>
<html lang="${content.language ?? 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escapeHtml(content.subject)}</title></head>
<body style="margin:0;padding:0;background:#f7f8fa">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f7f8fa;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#12161f"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px">
${brand ? `<tr><td style="padding:0 4px 20px">${masthead(brand.logoUrl, name, button.url)}</td></tr>\n` : ''}<tr><td style="padding:32px;background:#ffffff;border:1px solid #dfe3ea;border-radius:12px">
<h1 style="margin:0 0 12px;font-size:20px;line-height:1.3">${escapeHtml(heading)}</h1>
<p style="margin:0 0 24px;font-size:15px;line-height:1.55;white-space:pre-line">${escapeHtml(text)}</p>
${buttonHtml(button, brand?.brandColor ?? defaultBrandColor)}
<p style="margin:24px 0 0;font-size:13px;color:#5a6473;line-height:1.5">${escapeHtml(footer)}</p>
</td></tr></table></td></tr></table>
</body></html>`;
  return { bodyText, bodyHtml };
}

/**
 * Returns the logo and cleaned name. The logo's URL has the origin of the link: PUBLIC_URL, or the requested
 * address.
 */
function masthead(logoUrl: string | null, name: string | null, link: string): string {
  const label = name ? `<strong style="font-size:15px">${escapeHtml(name)}</strong>` : '';
  if (logoUrl === null) return label;
  const source = escapeHtml(new URL(logoUrl, link).href);
  return `<img src="${source}" alt="" height="36" style="height:36px;max-width:160px;vertical-align:middle;border-radius:6px;margin-right:12px">${label}`;
}

function buttonHtml({ label, url }: EmailContent['button'], color: string): string {
  const colors = brandColors(color) ?? brandColors(defaultBrandColor);
  const look = colors
    ? `background:${colors.brand};color:${colors.text};border:1px solid ${colors.edge.light}`
    : '';
  return `<a href="${escapeHtml(url)}" style="display:inline-block;padding:11px 20px;${look};font-size:15px;font-weight:600;text-decoration:none;border-radius:8px">${escapeHtml(label)}</a>`;
}
