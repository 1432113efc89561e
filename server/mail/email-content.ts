import { escapeHtml } from '#domain/escape-html.ts';
import type { Language } from '#domain/languages.ts';
import type { OrganizationBrand } from '#domain/organizations/contract.ts';
import { cleanName, cleanText } from './clean-name.ts';
import { type EmailButton, type EmailSection, emailPage } from './email-page.ts';
import { logoImage } from './inline-logo.ts';

/** The content of a mail: a greeting, a text, one button, and what to do if it was not requested. */
export interface EmailContent {
  subject: string;
  heading: string;
  text: string;
  /** Lists below the text. */
  sections?: readonly EmailSection[];
  button: EmailButton;
  footer: string;
  /** The language of the mail, English by default. */
  language?: Language;
  /** The organization's brand; null for an account without an organization. */
  brand: OrganizationBrand | null;
}

/** Returns the bodies of the mail as text and HTML, without characters that reorder or hide text. */
export function renderEmail(content: EmailContent) {
  const { button, brand, language = 'en' } = content;
  const [heading, text, footer] = [content.heading, content.text, content.footer].map(cleanText);
  const sections = (content.sections ?? []).map(({ title, lines }) => ({
    title: cleanText(title),
    lines: lines.map(cleanText),
  }));
  const name = brand && cleanName(brand.name);
  const bodyText = [
    heading,
    text,
    ...sections.map(({ title, lines }) => [title, ...lines.map((line) => `- ${line}`)].join('\n')),
    `${button.label}: ${button.url}`,
    `${footer}\n${name ? `\n${name}\n` : ''}`,
  ].join('\n\n');
  const bodyHtml = emailPage({
    language,
    title: content.subject,
    brandColor: brand?.brandColor ?? null,
    masthead: brand
      ? `${logoImage(brand.logoUrl)}${name ? mastheadName(name) : ''}`
      : mastheadName('Rapport'),
    heading: heading ?? '',
    text: text ?? '',
    sections,
    button,
    footer: footer ?? '',
  });
  return { bodyText, bodyHtml };
}

const mastheadName = (name: string) =>
  `<strong class="text" style="font-size:15px;color:#12161f;overflow-wrap:anywhere">${escapeHtml(name)}</strong>`;
