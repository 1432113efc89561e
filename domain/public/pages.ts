import type { Description } from '#domain/api/openapi/document.ts';
import type { Language } from '#domain/languages.ts';
import type { Theme } from '#domain/looks.ts';
import type { Claim } from './claims.ts';

/** The pages that anyone may read (spec section 2, Public routes), in the order of the site. */
export const publicPaths = {
  home: '/',
  features: '/features',
  about: '/about',
  contact: '/contact',
  signup: '/signup',
  api: '/docs/api',
} as const;
export type PublicPage = keyof typeof publicPaths;

/** The input of a public page. */
export interface PublicPageInput {
  page: PublicPage;
  language: Language;
  /** The theme chosen in this browser; null follows the system. */
  theme: Theme | null;
  /** `https://calls.example.com`, without a path. */
  origin: string;
  signedIn: boolean;
  claims: readonly Claim[];
  contact: {
    /** The URL to which the contact form is sent; null keeps it in the browser (no CONTACT_INBOX). */
    sendTo: string | null;
    /** The pattern of an email address, as the source of a regular expression. */
    emailRule: string;
  };
  privacyUrl: string | null;
  termsUrl: string | null;
  /** What the page `api` shows; null for the others. */
  api: Description | null;
  /** URLs of the built scripts. */
  scripts: { page: string; contact: string };
}

/** Returns the whole HTML document: the type of the built `web/public/render.tsx`. */
export type RenderPublicPage = (input: PublicPageInput) => string;

/** The API description as JSON. Clients are generated from it, so that it stays at this path. */
export const apiDescriptionPath = '/docs/api/openapi.json';
