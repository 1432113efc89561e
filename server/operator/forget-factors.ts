import type { Language } from '#domain/languages.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { factorsOffEmail } from '#server/auth/factors-off-email.ts';
import { mailAccount } from '#server/auth/mail-account.ts';
import type { AccountConnection } from '#server/auth/write-as-account.ts';
import { tenantOf } from '#server/platform/access.ts';
import type { Database, Statement } from '#server/platform/database.ts';
import { type FoundAccount, findAccount } from './find-account.ts';

// Locked first, so that a concurrent sign-in with these factors waits and checks again
// (auth/still-proved.ts).
const lockAccount: Statement = {
  name: 'operator_lock_account',
  text: 'select language from accounts where id = $1 for no key update',
};
const factorsOf: Statement = {
  name: 'operator_factors_of_account',
  text: `select (select count(*) from totp_factors where account_id = $1)::int as apps,
    (select count(*) from passkeys where account_id = $1)::int as passkeys`,
};
const forget: Statement = {
  name: 'operator_forget_factors',
  text: `with apps as (delete from totp_factors where account_id = $1),
      codes as (delete from recovery_codes where account_id = $1),
      keys as (delete from passkeys where account_id = $1),
      ended as (delete from sessions where account_id = $1)
    select note_ended_sign_ins($1)`,
};

interface Factors {
  apps: number;
  passkeys: number;
}

/**
 * Removes the authenticator app, recovery codes, and passkeys of an account whose owner lost them, ends its
 * sessions, and mails its address. The password stays.
 * @param ask shows what will be done, and returns whether to do it
 * @returns what was done, as a sentence
 */
export async function forgetFactors(
  database: Database,
  given: string,
  publicUrl: string,
  ask: (question: string) => Promise<boolean>,
): Promise<string> {
  const account = await findAccount(database, given);
  const { id, email } = account;
  const [factors] = await database.connection('outside', ({ run }) =>
    run<Factors>(factorsOf, [id]),
  );
  if (!factors || factors.apps + factors.passkeys === 0) {
    return `${email} has neither an authenticator app nor a passkey; nothing was changed.`;
  }
  const question = `${email} loses ${said(factors)} and is signed out everywhere; the password alone opens the account from then on. Are you sure that it is the person who asks?`;
  if (!(await ask(question))) return 'Nothing was changed.';
  await write(database, account, (tx) => change(tx, account, publicUrl));
  return `${email} signs in with the password alone now, was signed out everywhere, and gets a mail that says so.`;
}

const said = ({ apps, passkeys }: Factors) =>
  [
    ...(apps > 0 ? ['the authenticator app with its recovery codes'] : []),
    ...(passkeys > 0 ? [passkeys === 1 ? 'a passkey' : `${passkeys} passkeys`] : []),
  ].join(' and ');

function write(
  database: Database,
  { id, orgId }: FoundAccount,
  use: (tx: AccountConnection) => Promise<void>,
): Promise<void> {
  if (orgId === null) return database.transaction('outside', use);
  const operator = { kind: 'system' as const, name: 'operator', orgId };
  return tenantOf(database, operator, null).transaction(async (tx) => {
    await use(tx);
    await recordEvent(tx, { action: 'FACTORS_REMOVED', entity: 'account', entityId: id });
  });
}

async function change(
  tx: AccountConnection,
  { id, email }: FoundAccount,
  publicUrl: string,
): Promise<void> {
  const [person] = await tx.run<{ language: Language | null }>(lockAccount, [id]);
  await tx.run(forget, [id]);
  const url = `${publicUrl}/app/settings/profile`;
  await mailAccount(
    tx,
    { id, email },
    'factorsRemoved',
    factorsOffEmail(person?.language ?? 'en', url),
  );
}
