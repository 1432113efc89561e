import type { ToServer } from '#domain/calls/live.ts';
import { type CaptureKind, captureKinds } from '#domain/consent/capture.ts';
import type { ConsentState } from '#domain/consent/live.ts';
import {
  consentQuestion,
  type RecordedHow,
  versionOf,
  writtenQuestion,
} from '#domain/consent/question.ts';
import { DomainError } from '#domain/errors.ts';
import { type CallId, consentId, type ParticipantId, type RoomId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, type Tenant, type TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { capturedAs, discardCaptured } from './discard-captured.ts';

/** Answers of one participant. Beyond it they can still withdraw. */
const mostAnswers = 100;

/** SQL for a participant's newest answer about each kind, as JSON; null before the first. */
export const consentOf = (org: string, participant: string) =>
  `(select case when count(*) > 0 then json_build_object('asked', json_agg(e.kind),
      'agreed', coalesce(json_agg(e.kind) filter (where e.kind = any (e.agreed)), '[]')) end
    from (select distinct on (k.kind) k.kind, s.agreed
      from consents s cross join lateral unnest(s.asked) as k (kind)
      where s.org_id = ${org} and s.participant_id = ${participant}
      order by k.kind, s.id desc) e)`;

const readConsent: Statement = {
  name: 'consent_of_participant',
  text: `select ${consentOf('$1', '$2')} as consent,
    (select count(*)::int from consents where org_id = $1 and participant_id = $2) as answers`,
};
const insert: Statement = {
  name: 'insert_consent',
  text: `insert into consents (id, org_id, room_id, call_id, participant_id, participant_kind, account_id, name,
      asked, agreed, question, question_version, language, client_id, answered_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, clock_timestamp())
    on conflict on constraint consents_once do nothing returning id`,
};
const turn: Statement = {
  name: 'consent_turn',
  text: `select pg_advisory_xact_lock(hashtextextended('consent:' || $1, 0))`,
};

/**
 * Waits for the person's turn, so that the newest answer is the last one stored. A member's pages are one person:
 * what one withdraws is not continued by the next.
 */
export const inTurn = ({ run, tenant }: TenantConnection, participant: ParticipantId) =>
  run(turn, [actingAccount(tenant) ?? participant]);

/** Pages of one call that a withdrawal reaches, of a person who reloads again and again. */
const mostContinuing = 200;
// Of the pages before, from which parts may still arrive, and of the next ones: an answer of a page that was closed may
// arrive when the next page has continued the one before.
const withdrawContinued: Statement = {
  name: 'withdraw_continued_consents',
  text: `with recursive joined as (
      select b.participant_id as one, c.participant_id as other
      from consents c join consents b on b.org_id = c.org_id and b.id = c.continues
      where c.org_id = $1 and c.call_id = $5
    ), linked as (
      select one, other from joined union select other, one from joined
    ), next as (
      select other as participant_id from linked where one = $2
      union
      select l.other from next n join linked l on l.one = n.participant_id
    ), numbered as (
      select participant_id, row_number() over () as place from next where participant_id <> $2 limit ${mostContinuing}
    )
    insert into consents (id, org_id, room_id, call_id, participant_id, participant_kind, account_id, name,
      asked, agreed, question, question_version, language, client_id, answered_at)
    select ($4::uuid[])[n.place], c.org_id, c.room_id, c.call_id, n.participant_id, c.participant_kind, c.account_id,
      c.name, array(select unnest(c.asked) except select unnest(c.agreed)), '{}', c.question, c.question_version, c.language, c.client_id, c.answered_at
    from numbered n, (select * from consents where org_id = $1 and participant_id = $2 and client_id = $3) c
    on conflict on constraint consents_once do nothing`,
};

export type ConsentAnswer = Omit<Extract<ToServer, { type: 'consent' }>, 'type'>;

interface Answering {
  roomId: RoomId;
  /** Null while no call runs. */
  callId: CallId | null;
  participantId: ParticipantId;
  kind: 'staff' | 'guest';
  name: string;
  organization: string;
  how: RecordedHow;
}

/**
 * Stores a participant's answer. An answer that is sent again is stored once.
 * @returns the newest answer about each kind, and whether a legal hold keeps what was to be deleted
 * @throws DomainError 409 for a question that this server does not know, 429 for too many answers
 */
export async function answerConsent(
  tenant: Tenant,
  who: Answering,
  answer: ConsentAnswer,
): Promise<{ consent: ConsentState; isHeld: boolean }> {
  if (answer.questionVersion !== versionOf(who.how)) throw questionIsOld();
  const asked = captureKinds.filter((kind) => answer.asked.includes(kind));
  const agreed = asked.filter((kind) => answer.agreed.includes(kind));
  const { consent, isNew } = await tenant.transaction(
    async (tx) => {
      await inTurn(tx, who.participantId);
      const before = await read(tx, who);
      if (before.answers >= mostAnswers && agreed.length > 0) throw tooManyAnswers();
      const isNew = await store(tx, who, { ...answer, asked, agreed });
      if (isNew && who.kind === 'staff' && agreed.length < asked.length)
        await tx.run(withdrawContinued, [
          ...[tx.tenant.orgId, who.participantId, answer.id],
          Array.from({ length: mostContinuing }, () => newId(consentId)),
          who.callId,
        ]);
      if (isNew) await record(tx, who, 'CONSENT_ANSWERED', { asked, agreed });
      return { isNew, consent: (await read(tx, who)).consent };
    },
    { isAboutSelf: true },
  );
  if (!answer.discard) return { consent, isHeld: false };
  // Afterwards, because it waits for whatever else changes the call. Sent again, it is done again.
  const isHeld = await tenant.transaction((tx) => discard(tx, who, { asked, isNew }), {
    isAboutSelf: true,
  });
  return { consent, isHeld };
}

/** @returns whether a legal hold keeps what was to be deleted */
async function discard(
  tx: TenantConnection,
  who: Answering,
  { asked, isNew }: { asked: CaptureKind[]; isNew: boolean },
): Promise<boolean> {
  if (!who.callId) return false;
  const people = await capturedAs(tx, who.callId, who.participantId);
  const outcome = await discardCaptured(tx, who.callId, people);
  if (outcome === 'discarded' || (isNew && outcome === 'nothing'))
    await record(tx, who, 'CAPTURED_DISCARDED', { asked });
  return outcome === 'held';
}

async function read(tx: TenantConnection, { participantId }: Answering) {
  const [row] = await tx.run<{ consent: ConsentState | null; answers: number }>(readConsent, [
    tx.tenant.orgId,
    participantId,
  ]);
  return { consent: row?.consent ?? { asked: [], agreed: [] }, answers: row?.answers ?? 0 };
}

async function store(
  tx: TenantConnection,
  who: Answering,
  answer: ConsentAnswer,
): Promise<boolean> {
  const { asked, agreed, language } = answer;
  const question = writtenQuestion(consentQuestion(asked, who.organization, language, who.how));
  const rows = await tx.run(insert, [
    ...[newId(consentId), tx.tenant.orgId, who.roomId, who.callId, who.participantId, who.kind],
    ...[actingAccount(tx.tenant), who.name, asked, agreed, question],
    ...[answer.questionVersion, language, answer.id],
  ]);
  return rows.length > 0;
}

const record = (
  tx: TenantConnection,
  { callId, roomId, participantId }: Answering,
  action: 'CONSENT_ANSWERED' | 'CAPTURED_DISCARDED',
  kinds: Record<string, CaptureKind[]>,
) =>
  recordEvent(tx, {
    action,
    entity: callId ? 'call' : 'room',
    entityId: callId ?? roomId,
    metadata: { participantId, ...kinds },
  });

const questionIsOld = () =>
  new DomainError(
    'conflict',
    'question_outdated',
    'This question has changed. Reload the page to read it as it is now.',
  );
const tooManyAnswers = () =>
  new DomainError(
    'too_many',
    'too_many_answers',
    'You have changed your answer too often. You stay unrecorded in this call.',
  );
