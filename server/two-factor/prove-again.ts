import { DomainError } from '#domain/errors.ts';
import type { AccountId } from '#domain/ids.ts';
import { type Asking, requireStillAsking } from '#server/auth/change-credentials.ts';
import { freshMinutes } from '#server/auth/confirm-self.ts';
import type { CurrentSession } from '#server/auth/sessions.ts';
import type { Connection, Database, Statement } from '#server/platform/database.ts';

const confirm: Statement = {
  name: 'confirm_session',
  text: `update sessions set confirmed_at = now(),
      factor_shown_at = case when $2 then now() else factor_shown_at end
    where id = $1`,
};
const hasShown: Statement = {
  name: 'has_shown_factor',
  text: `select 1 from sessions s where s.id = $1 and (
      s.factor_shown_at > now() - make_interval(mins => $3)
      or s.method = 'passkey' and s.confirmed_at > now() - make_interval(mins => $3)
      or not exists (select 1 from totp_factors f
        where f.account_id = $2 and f.confirmed_at is not null))`,
};

/**
 * Records that the person re-authenticated: by password, and by a code if there is a second factor.
 * @throws as `requireStillAsking`
 */
export async function confirmSession(
  database: Database,
  asking: Asking,
  { factorShown }: { factorShown: boolean },
): Promise<void> {
  const confirming = async (tx: Connection) => {
    await requireStillAsking(tx, asking);
    await tx.run(confirm, [asking.session.id, factorShown]);
  };
  await database.transaction('outside', confirming, { actorKey: asking.user.id });
}

/**
 * Requires a recent second factor for changes that weaken the second factor. The one at sign-in does not
 * count, because the session may have been stolen since. A passkey counts.
 * @throws DomainError 403 `confirmation_needed`: ask for password and code (POST /api/user/confirm)
 */
export async function refuseWithoutFactor(
  database: Database,
  account: AccountId,
  session: CurrentSession,
): Promise<void> {
  const values = [session.id, account, freshMinutes];
  const shown = await database.connection('outside', ({ run }) => run(hasShown, values));
  if (shown.length > 0) return;
  throw new DomainError(
    'forbidden',
    'confirmation_needed',
    'Please confirm it’s you: enter your password and a code from your authenticator app.',
  );
}
