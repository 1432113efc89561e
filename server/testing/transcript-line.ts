import { randomUUID } from 'node:crypto';
import type { TestApp } from './open-test-app.ts';

/** Stores a line of a call's transcript. @returns its id */
export async function storeTranscriptLine(
  app: TestApp,
  call: string,
  { name = 'Cleo', text = 'We sell by Friday', startMs = 0 } = {},
): Promise<string> {
  const id = randomUUID();
  await app.owner.query(
    `insert into transcript_lines (id, org_id, call_id, participant_id, participant_kind, name, start_ms,
       end_ms, text, recognizer)
     select $1, org_id, id, $1, 'guest', $3, $4, $4 + 1500, $5, 'test' from calls where id = $2`,
    [id, call, name, startMs, text],
  );
  return id;
}
