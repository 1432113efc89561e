import type { Language } from '#domain/languages.ts';
import type { Theme } from '#domain/looks.ts';
import type { Claim } from './claims.ts';

/** The pages that anybody may read (spec section 2, Public routes), in the order of the site. */
export const publicPaths = {
  home: '/',
  features: '/features',
  about: '/about',
  contact: '/contact',
  signup: '/signup',
} as const;
export type PublicPage = keyof typeof publicPaths;

/** What a public page is made from. */
export interface PublicPageInput {
  page: PublicPage;
  language: Language;
  /** What was chosen in this browser; null leaves it to the system. */
  theme: Theme | null;
  /** `https://calls.example.com`, without a path. */
  origin: string;
  signedIn: boolean;
  claims: readonly Claim[];
  contact: {
    /** Where the contact form is sent; null keeps it in the browser (no CONTACT_INBOX). */
    sendTo: string | null;
    /** What an email address must match, as the source of a regular expression. */
    emailRule: string;
  };
  privacyUrl: string | null;
  termsUrl: string | null;
  /** Addresses of the built scripts. */
  scripts: { page: string; contact: string };
}

/** The whole HTML document: what `web/public/render.tsx` is once it is built. */
export type RenderPublicPage = (input: PublicPageInput) => string;
