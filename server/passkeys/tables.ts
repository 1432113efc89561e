import type { AccountId } from '#domain/ids.ts';
import type { PasskeyId } from '#domain/passkeys/contract.ts';
import {
  bigint,
  boolean,
  bytea,
  pgTable,
  text,
  timestamp,
  uuid,
} from '#server/platform/drizzle.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const passkeys = pgTable('passkeys', {
  id: uuid().$type<PasskeyId>().primaryKey(),
  accountId: uuid('account_id').$type<AccountId>().notNull(),
  credentialId: text('credential_id').notNull(),
  publicKey: bytea('public_key').notNull(),
  counter: bigint({ mode: 'number' }).notNull(),
  transports: text().array().notNull(),
  name: text().notNull(),
  backedUp: boolean('backed_up').notNull(),
  createdAt: at('created_at').notNull(),
  lastUsedAt: at('last_used_at'),
});

export const passkeyChallenges = pgTable('passkey_challenges', {
  challenge: text().primaryKey(),
  accountId: uuid('account_id').$type<AccountId>(),
  expiresAt: at('expires_at').notNull(),
});
