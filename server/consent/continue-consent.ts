import type { ConsentState } from '#domain/consent/live.ts';
import { type RecordedHow, versionOf } from '#domain/consent/question.ts';
import { type AccountId, type CallId, consentId, type ParticipantId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { consentOf, inTurn } from './answer.ts';

/** One receipt for each kind at most. */
const mostContinued = 3;

// The newest answers of the account's last participant in this call, once that one has left it. Whoever has another
// page of the call open is asked in each.
const continueAnswers: Statement = {
  name: 'continue_consents',
  text: `with before as materialized (
      select a.id from attendances a
      where a.org_id = $1 and a.call_id = $2 and a.account_id = $3 and a.id <> $4
      order by a.left_at is null desc, a.left_at desc limit 1
    ), newest as materialized (
      select distinct s.id from (
        select distinct on (k.kind) c.id
        from before b
        join attendances a on a.id = b.id and a.left_at is not null
        join consents c on c.org_id = $1 and c.participant_id = b.id and c.account_id = $3
          and c.question_version = $5
        cross join lateral unnest(c.asked) as k (kind)
        order by k.kind, c.id desc
      ) s
    ), numbered as materialized (
      select id, row_number() over (order by id) as place from newest
    )
    insert into consents (id, org_id, room_id, call_id, participant_id, participant_kind, account_id, name,
      asked, agreed, question, question_version, language, client_id, answered_at, continues)
    select ($6::uuid[])[n.place], c.org_id, c.room_id, $2, $4, c.participant_kind, c.account_id, c.name,
      c.asked, c.agreed, c.question, c.question_version, c.language, c.client_id, c.answered_at, c.id
    from numbered n join consents c on c.id = n.id
    where not exists (select from consents own where own.org_id = $1 and own.participant_id = $4)
    order by n.place
    on conflict on constraint consents_once do nothing
    returning continues`,
};
const readContinued: Statement = {
  name: 'continued_consent',
  text: `select ${consentOf('$1', '$2')} as consent`,
};

interface Continuing {
  callId: CallId;
  account: AccountId;
  participantId: ParticipantId;
  how: RecordedHow;
}

/**
 * Continues the answers that a member gave in this call before their page was reloaded. An account continues its own
 * answers only, and guests, who have none, keep their participant instead.
 * @returns the newest answer about each kind; null if there is nothing to continue
 */
export function continueConsent(
  tenant: Tenant,
  { callId, account, participantId, how }: Continuing,
): Promise<ConsentState | null> {
  const { orgId } = tenant;
  const ids = Array.from({ length: mostContinued }, () => newId(consentId));
  return tenant.transaction(async (tx) => {
    await inTurn(tx, participantId);
    const values = [orgId, callId, account, participantId, versionOf(how), ids];
    const continued = await tx.run<{ continues: string }>(continueAnswers, values);
    if (continued.length === 0) return null;
    await recordEvent(tx, {
      action: 'CONSENT_CONTINUED',
      entity: 'call',
      entityId: callId,
      metadata: { participantId, receipts: continued.map(({ continues }) => continues) },
    });
    const [row] = await tx.run<{ consent: ConsentState | null }>(readContinued, [
      orgId,
      participantId,
    ]);
    return row?.consent ?? null;
  });
}
