import type { OrgId } from '#domain/ids.ts';
import { type RetentionKind, retentionKinds } from '#domain/privacy/retention.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { inBatchesOfCalls } from '#server/calls/call-batches.ts';
import { forgetKeptAnswers } from '#server/consent/forget-kept-answers.ts';
import { forgetCallMails } from '#server/mail/forget-call-mails.ts';
import { type Tenant, type TenantConnection, tenantOf } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { takesLong } from '#server/platform/database-timeouts.ts';
import { eachApart } from '#server/platform/each-apart.ts';
import { withoutHeld } from '#server/recordings/legal-hold.ts';
import type { Services } from '#server/services.ts';
import { forgetResponses } from '#server/webhooks/end-deliveries.ts';
import { readRetention } from './retention-store.ts';

/** Calls whose data one transaction deletes, and which changes wait for meanwhile. */
const callsAtOnce = 1_000;

/**
 * The statement for each kind of data of calls. $1 is the organization, $2 are calls. Each counts what it has
 * deleted or anonymized, of which there may be millions.
 */
const ofCalls = {
  recordings: `with gone as (
      delete from recorded_tracks where org_id = $1 and call_id = any ($2) returning call_id
    ), noted as (
      insert into recording_removals (call_id, org_id, reason)
      select call_id, $1, 'expired' from gone group by call_id
      on conflict (call_id) do update set reason = excluded.reason, removed_at = now(), removed_by = null
    )
    select count(distinct call_id) from gone`,
  transcripts: `with gaps as (
      delete from transcript_gaps where org_id = $1 and call_id = any ($2)
    ), gone as (
      delete from transcript_lines where org_id = $1 and call_id = any ($2) returning call_id
    )
    select count(distinct call_id) from gone`,
  notes: `with updates as (
      delete from call_note_updates where org_id = $1 and call_id = any ($2)
    ), gone as (
      update calls set notes_snapshot = null
      where org_id = $1 and id = any ($2) and notes_snapshot is not null returning 1
    )
    select count(*) from gone`,
  chats: `with gone as (delete from chat_messages where org_id = $1 and call_id = any ($2) returning 1)
    select count(*) from gone`,
  aiResults: `with answers as (
      delete from ai_answers where org_id = $1 and call_id = any ($2)
    ), found as (
      delete from call_insights where org_id = $1 and call_id = any ($2) returning call_id
    ), lists as (
      delete from action_item_lists where org_id = $1 and call_id = any ($2) returning call_id
    )
    select count(*) from (select call_id from found union select call_id from lists) gone`,
  feedback: `with gone as (
      update ratings set feedback = null
      where org_id = $1 and feedback is not null and call_id = any ($2) returning 1
    )
    select count(*) from gone`,
  guestNames: `with said as (
      update chat_messages set name = 'Guest'
      where org_id = $1 and kind = 'guest' and name <> 'Guest' and call_id = any ($2)
    ), recorded as (
      update recorded_tracks set name = 'Guest'
      where org_id = $1 and participant_kind = 'guest' and name <> 'Guest' and call_id = any ($2)
    ), answered as (
      update consents set name = 'Guest'
      where org_id = $1 and participant_kind = 'guest' and name not in ('Guest', 'Deleted person')
        and (call_id = any ($2) or call_id is null and participant_id in (
          select a.id from attendances a where a.org_id = $1 and a.call_id = any ($2)))
    ), transcribed as (
      update transcript_lines set name = 'Guest'
      where org_id = $1 and participant_kind = 'guest' and name <> 'Guest' and call_id = any ($2)
    ), gone as (
      update attendances set name = 'Guest'
      where org_id = $1 and kind = 'guest' and name <> 'Guest' and call_id = any ($2) returning 1
    )
    select count(*) from gone`,
} satisfies Partial<Record<RetentionKind, string>>;

/** As `ofCalls`, for the rest: $2 is the time before which rows are deleted. */
const ofOthers = {
  // Only this function may delete audit events, and it checks the rule itself.
  auditEvents: `select forget_audit_events() as count
    where $1::uuid is not null and $2::timestamptz is not null`,
  // Only the organization's own mails: other organizations write to the same addresses.
  mails: `with gone as (delete from mails where created_at < $2 and org_id = $1 returning 1)
    select count(*) from gone`,
  sessions: `with gone as (
      delete from sessions where created_at < $2
        and account_id in (select account_id from memberships where org_id = $1) returning 1
    )
    select count(*) from gone`,
  invitations: `with gone as (
      delete from invitations where org_id = $1 and coalesce(accepted_at, cancelled_at, expires_at) < $2 returning 1
    )
    select count(*) from gone`,
} satisfies Partial<Record<RetentionKind, string>>;
const forgetting: Record<RetentionKind, string> = { ...ofCalls, ...ofOthers };
const statementOf = (kind: RetentionKind): Statement => ({
  name: `forget_${kind}`,
  text: forgetting[kind],
});

/**
 * Deletes what is older than the organization's rules allow. Data of calls are deleted a few thousand calls at a
 * time, without those under legal hold. What a transaction has deleted is in its audit event.
 */
export async function forgetOld(tenant: Tenant, now: Date): Promise<void> {
  const rules = await tenant.connection(readRetention);
  for (const kind of retentionKinds) {
    const days = rules[kind];
    if (days === null) continue;
    const before = new Date(now.getTime() - days * 86_400_000);
    if (kind in ofCalls) {
      const which = { endedBefore: before, atOnce: callsAtOnce };
      await inBatchesOfCalls(tenant, which, async (tx, ids) =>
        forget(tx, kind, days, await withoutHeld(tx, ids)),
      );
    } else {
      await tenant.transaction((tx) => forget(tx, kind, days, before));
    }
  }
}

/** @param old the time before which rows are deleted, or the calls whose data are */
async function forget(
  tx: TenantConnection,
  kind: RetentionKind,
  days: number,
  old: Date | string[],
): Promise<void> {
  await tx.run(takesLong, []);
  const [forgotten] = await tx.run<{ count: string }>(statementOf(kind), [tx.tenant.orgId, old]);
  const count = Number(forgotten?.count ?? 0);
  if (count === 0) return;
  await forgetResponses(tx);
  await forgetCallMails(tx);
  await forgetKeptAnswers(tx);
  await recordEvent(tx, {
    action: 'RETENTION_APPLIED',
    entity: 'organization',
    entityId: tx.tenant.orgId,
    metadata: { kind, days, count },
  });
}

const withRules: Statement = {
  name: 'organizations_with_retention',
  text: 'select org_id as "orgId" from organizations_with_retention()',
};

/** Applies the rules of every organization that has any. */
export async function forgetOldEverywhere(
  { database, log }: Pick<Services, 'database' | 'log'>,
  now: Date,
): Promise<void> {
  const found = await database.connection('outside', ({ run }) =>
    run<{ orgId: OrgId }>(withRules, []),
  );
  const forget = ({ orgId }: { orgId: OrgId }) =>
    forgetOld(tenantOf(database, { kind: 'system', name: 'retention', orgId }, null), now);
  await eachApart(log, found, forget, 'the retention rules of an organization failed');
}
