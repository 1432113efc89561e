import { escapeHtml } from '#domain/escape-html.ts';
import type { Language } from '#domain/languages.ts';
import { brandColors } from '#domain/organizations/brand-color.ts';
import { defaultBrandColor } from '#domain/organizations/contract.ts';

export interface EmailButton {
  label: string;
  url: string;
}
export interface EmailSection {
  title: string;
  lines: readonly string[];
}

interface EmailPage {
  language: Language;
  title: string;
  /** Null for Rapport's own. */
  brandColor: string | null;
  /** HTML; all other texts are escaped here. */
  masthead: string;
  heading: string;
  text: string;
  sections: readonly EmailSection[];
  button: EmailButton;
  footer: string;
}

const breaks = 'overflow-wrap:anywhere;word-break:break-word';
const sans = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * Returns the HTML of a mail: tables and inline styles, because mail programs support little else, with other colors
 * where the program is dark, and nothing that is loaded from elsewhere.
 */
export function emailPage(page: EmailPage): string {
  const { language, title, masthead, heading, text, sections, button, footer } = page;
  const colors = colorsOf(page.brandColor);
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(title)}</title>
<style>@media (prefers-color-scheme: dark){.page{background:#0e1116!important}.card{background:#171b22!important;border-color:#2c333f!important}.text{color:#eef0f4!important}.quiet{color:#a6afbd!important}.button{border-color:${colors.edge.dark}!important}}</style></head>
<body class="page" style="margin:0;padding:0;background:#f7f8fa">
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f7f8fa;${sans}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px">
<tr><td style="padding:0 4px 20px">${masthead}</td></tr>
<tr><td class="card" style="padding:32px;background:#ffffff;border:1px solid #dfe3ea;border-radius:12px">
<h1 class="text" style="margin:0 0 12px;font-size:20px;line-height:1.3;color:#12161f;${breaks}">${escapeHtml(heading)}</h1>
<p class="text" style="margin:0 0 24px;font-size:15px;line-height:1.55;color:#12161f;white-space:pre-line;${breaks}">${escapeHtml(text)}</p>
${sections.map(sectionHtml).join('')}<a class="button" href="${escapeHtml(button.url)}" style="display:inline-block;padding:11px 20px;background:${colors.brand};color:${colors.text};border:1px solid ${colors.edge.light};font-size:15px;font-weight:600;text-decoration:none;border-radius:8px">${escapeHtml(button.label)}</a>
<p class="quiet" style="margin:24px 0 0;font-size:13px;color:#5a6473;line-height:1.5;${breaks}">${escapeHtml(footer)}</p>
</td></tr></table></td></tr></table>
</body></html>`;
}

function sectionHtml({ title, lines }: EmailSection): string {
  const items = lines.map(
    (line) => `<li style="margin:0 0 6px;white-space:pre-line">${escapeHtml(line)}</li>`,
  );
  return `<h2 class="text" style="margin:0 0 8px;font-size:15px;line-height:1.4;color:#12161f">${escapeHtml(title)}</h2>
<ul class="text" style="margin:0 0 24px;padding:0 0 0 20px;font-size:15px;line-height:1.5;color:#12161f;${breaks}">${items.join('')}</ul>
`;
}

/** A color that is none is never written into the style. */
function colorsOf(brandColor: string | null) {
  const colors = brandColors(brandColor ?? defaultBrandColor) ?? brandColors(defaultBrandColor);
  if (!colors) throw new Error('The default brand color is no color.');
  return colors;
}
