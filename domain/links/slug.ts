import { z } from 'zod';

export const shortestSlug = 3;
export const longestSlug = 40;

/** Words that could be mistaken for a page of the product or of its operator. */
const reserved = new Set(
  (
    'about abuse account accounts admin administrator api app archive assets auth billing blog call calls contact ' +
    'dashboard demo docs embed features files guest health help host info invite join legal live login logout lobby ' +
    'mail meet meet-me me meeting new null office operator personal play playbooks pricing privacy profile rapport register ' +
    'reset-password robots room rooms root scim security settings sign-in sign-up signin signup sso status ' +
    'superadmin support system team terms test undefined user users webhooks www you'
  ).split(' '),
);

const wrong = 'Please use lowercase letters, digits and single hyphens';

/** The last part of a personal room's URL. */
export const slug = z
  .string({ error: wrong })
  .trim()
  .toLowerCase()
  .min(shortestSlug, `Please use at least ${shortestSlug} characters`)
  .max(longestSlug, `Please use at most ${longestSlug} characters`)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, wrong)
  .refine((word) => !reserved.has(word), 'This word is reserved. Please choose another.');

const spelled: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'oe',
  ł: 'l',
};

/** Turns 'Jürgen Groß' into 'juergen-gross'; returns `fallback` if no readable character is left. */
export function slugFrom(name: string, fallback: string): string {
  const plain = name
    .toLowerCase()
    .normalize('NFC')
    .replace(/[äöüßæøł]/g, (letter) => spelled[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestSlug - 4)
    .replace(/^-+|-+$/g, '');
  return slug.safeParse(plain).success ? plain : fallback;
}
