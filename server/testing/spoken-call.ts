import { randomUUID } from 'node:crypto';
import type { SignedInUser } from '#domain/auth/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import type { CallId } from '#domain/ids.ts';
import type { TestApp } from './open-test-app.ts';
import { storeConsent } from './stored-consent.ts';
import { runningCall, type Visitor } from './visitor.ts';

export interface Spoken {
  speaker: string;
  kind: 'staff' | 'guest';
  text: string;
  /** Whether the speaker agrees to an analysis; true by default. */
  agrees?: boolean;
}

/**
 * Starts a call, and stores what was said in it, five seconds a phrase, with the speakers' answers about an analysis.
 * @returns the ids of the call and of the phrases
 */
export async function spokenCall(
  app: TestApp,
  visitor: Visitor & { user: SignedInUser },
  phrases: readonly Spoken[],
): Promise<{ id: CallId; lineIds: string[] }> {
  const { call } = await runningCall(visitor);
  const { orgId } = visitor.user;
  const people = new Map<string, string>();
  const lineIds: string[] = [];
  for (const [at, { speaker, kind, text, agrees = true }] of phrases.entries()) {
    const person = people.get(speaker) ?? randomUUID();
    if (!people.has(speaker)) {
      people.set(speaker, person);
      await storeConsent(app, {
        ...{ callId: call.id, participantId: person, kind, name: speaker },
        asked: ['transcript', 'analysis'],
        agreed: agrees ? ['transcript', 'analysis'] : ['transcript'],
      });
    }
    const id = randomUUID();
    lineIds.push(id);
    await app.owner.query(
      `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, name,
        start_ms, end_ms, language, text, recognizer)
      values ($1, $2, $3, $4, $5, $6, $7, $8, 'en', $9, 'test')`,
      [id, orgId, call.id, person, kind, speaker, at * 5000, at * 5000 + 4000, text],
    );
  }
  return { id: call.id, lineIds };
}

/** Ends a call, long enough ago for the jobs. */
export async function endedCall(
  app: TestApp,
  visitor: Visitor,
  id: CallId,
  notes: string | null = null,
): Promise<void> {
  if (notes !== null)
    await visitor.call(updateCall, { params: { id }, body: { notesSnapshot: notes } });
  await app.owner.query(
    `update calls set started_at = now() - interval '20 minutes',
      ended_at = now() - interval '10 minutes', duration_sec = 600 where id = $1`,
    [id],
  );
}
