import { createInstance } from 'i18next';
import type { administration } from '#web/texts/en/administration.ts';
import type ai from '#web/texts/en/ai.json';
import type analytics from '#web/texts/en/analytics.json';
import type api from '#web/texts/en/api.json';
import { catalog } from '#web/texts/en/app.ts';
import type assistant from '#web/texts/en/assistant.json';
import type call from '#web/texts/en/call.json';
import type crm from '#web/texts/en/crm.json';
import type embedding from '#web/texts/en/embedding.json';
import type invitation from '#web/texts/en/invitation.json';
import type links from '#web/texts/en/links.json';
import type notifications from '#web/texts/en/notifications.json';
import type payment from '#web/texts/en/payment.json';
import type player from '#web/texts/en/player.json';
import type profile from '#web/texts/en/profile.json';
import type search from '#web/texts/en/search.json';
import type security from '#web/texts/en/security.json';
import type transcript from '#web/texts/en/transcript.json';
import type webhooks from '#web/texts/en/webhooks.json';
import { german } from '#web/texts/german.ts';
import { locale } from '#web/texts/language.ts';

type Branch = { readonly [key: string]: string | Branch };
/** Every path to a text, dotted; a plural's `_one` and `_other` share one key. */
type Paths<T extends Branch> = {
  [K in keyof T & string]: T[K] extends string
    ? K extends `${infer Stem}_${'one' | 'other'}`
      ? Stem
      : K
    : T[K] extends Branch
      ? `${K}.${Paths<T[K]>}`
      : never;
}[keyof T & string];

export type TextKey = Paths<
  typeof catalog &
    typeof administration & {
      ai: typeof ai;
      analytics: typeof analytics;
      api: typeof api;
      assistant: typeof assistant;
      call: typeof call;
      embedding: typeof embedding;
      invitation: typeof invitation;
      links: typeof links;
      notifications: typeof notifications;
      payment: typeof payment;
      player: typeof player;
      profile: typeof profile;
      search: typeof search;
      security: typeof security;
      transcript: typeof transcript;
      crm: typeof crm;
      webhooks: typeof webhooks;
    }
>;

const texts = createInstance();
void texts.init({
  lng: german ? 'de' : 'en',
  fallbackLng: 'en',
  resources: { en: { app: catalog }, ...(german ? { de: { app: german.catalog } } : {}) },
  defaultNS: 'app',
  initAsync: false,
  // React escapes what it renders.
  interpolation: { escapeValue: false },
});

/** Adds English texts of a page. The German ones are all in one file, which is loaded already. */
export const addTexts = (more: Branch): void => {
  texts.addResourceBundle('en', 'app', more, true);
};

/** Returns the text of the catalog under `key`, with its `{{values}}` filled in. */
export const t = (key: TextKey, values: Record<string, string | number> = {}): string =>
  texts.t(key, { ...values, replace: localized(values) });

const numbers = new Intl.NumberFormat(locale);

/** Formats a number in the reader's locale. */
export const formatNumber = (value: number): string => numbers.format(value);

/** Formats the values for display; i18next selects the plural form by the number `count` itself. */
const localized = (values: Record<string, string | number>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? formatNumber(value) : value,
    ]),
  );

/** Returns the server's message in the reader's language, if its `code` has a translation. */
export const refusalText = (code: string | undefined, sentence: string): string =>
  german?.refusals[code?.replace(/^too_many_.*/, 'too_many') ?? ''] ?? validationText(sentence);

/** Returns a contract's message about a field in the reader's language, if it has a translation. */
export const validationText = (sentence: string): string =>
  german?.validation[sentence] ?? sentence;
