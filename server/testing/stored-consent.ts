import type { CaptureKind } from '#domain/consent/capture.ts';
import { consentId } from '#domain/ids.ts';
import { newId } from '#server/platform/ids.ts';
import type { TestApp } from './open-test-app.ts';

interface Answer {
  callId: string;
  participantId: string;
  kind?: 'staff' | 'guest';
  name?: string;
  asked: readonly CaptureKind[];
  agreed: readonly CaptureKind[];
}

/** Stores a participant's newest answer to the question whether they may be captured. */
export async function storeConsent(
  { owner }: Pick<TestApp, 'owner'>,
  { callId, participantId, kind = 'guest', name = 'Someone', asked, agreed }: Answer,
): Promise<void> {
  await owner.query(
    `insert into consents (id, org_id, room_id, call_id, participant_id, participant_kind, name, asked, agreed,
       question, question_version, language, client_id)
     select $1, org_id, room_id, id, $3, $4, $5, $6, $7, 'May we?', 1, 'en', gen_random_uuid()::text
     from calls where id = $2`,
    [newId(consentId), callId, participantId, kind, name, asked, agreed],
  );
}
