import type { Language } from '#domain/languages.ts';
import { cleanName } from '#server/mail/clean-name.ts';
import type { EmailContent } from '#server/mail/email-content.ts';

interface Texts {
  subject: string;
  greeting: string;
  text: string;
  button: string;
  footer: string;
}

/** Returns an email with one button whose heading greets the account's owner by first name. */
export function greetingEmail(
  texts: Record<Language, Texts>,
  language: Language,
  firstName: string,
  url: string,
): Omit<EmailContent, 'brand'> {
  const { subject, greeting, text, button, footer } = texts[language];
  // The name was chosen at registration, possibly by a person other than the reader.
  const name = cleanName(firstName);
  const heading = name === null ? greeting : `${greeting} ${name}`;
  return { language, subject, heading, text, button: { label: button, url }, footer };
}
