import type { Language } from '#domain/languages.ts';

const texts = {
  app: {
    en: 'Rapport is where customer success teams hold their calls, follow playbooks, and see how customers are doing.',
    de: 'Mit Rapport führen Customer-Success-Teams ihre Gespräche, folgen Playbooks und sehen, wie es ihren Kunden geht.',
  },
  guest: {
    en: 'Join the video call in your browser. You need no account, and there’s nothing to install.',
    de: 'Nehmen Sie im Browser am Videogespräch teil. Sie brauchen kein Konto und müssen nichts installieren.',
  },
} satisfies Record<string, Record<Language, string>>;

/** Describes a page to those who get its link in a chat or a mail: built pages have `<!--about:app-->` or `<!--about:guest-->`. */
export const withDescription = (page: string, language: Language): string =>
  page.replace(
    /<!--about:(app|guest)-->/,
    (_, of: keyof typeof texts) => `<meta name="description" content="${texts[of][language]}" />`,
  );
