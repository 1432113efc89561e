import type { AccountId, FileId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';

/** A member to whom a mail in the organization's brand is sent. */
export type MemberRecipient = Record<string, unknown> & {
  id: AccountId;
  email: string;
  /** Null for who has not chosen one. */
  language: Language | null;
  /** The organization's. */
  name: string;
  brandColor: string;
  logoFileId: FileId | null;
};

/** The columns of a recipient, of `accounts a` and `organizations o`. */
export const recipientColumns = `a.id, a.email, a.language, o.name, o.brand_color as "brandColor",
      o.logo_file_id as "logoFileId"`;
