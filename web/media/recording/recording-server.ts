import * as z from 'zod/mini';
import type { SegmentRecord } from './part-store.ts';
import { ServerClock } from './server-clock.ts';

/**
 * - `kept`: the server has it.
 * - `retry`: it may work later; `full` if the server's storage is.
 * - `refused`: this segment will never be taken.
 * - `withdrawn`: the participant has withdrawn: nothing more may be sent.
 */
export type Reply = 'kept' | 'retry' | 'full' | 'refused' | 'withdrawn';
export type Begun = NonNullable<SegmentRecord['upload']>;

/** The requests that store a recording (domain/recordings/contract.ts). */
export interface RecordingServer {
  begin(record: SegmentRecord, ageMs: number): Promise<Begun | Exclude<Reply, 'kept'>>;
  putPart(upload: Begun, number: number, content: Blob): Promise<Reply>;
  putPoster(upload: Begun, content: Blob): Promise<Reply>;
  /** @param startedAt of the segment, by the page's clock */
  complete(upload: Begun, partCount: number, startedAt: number): Promise<Reply>;
}

const begun = z.object({ segmentId: z.string(), uploadToken: z.string() });
const times = z.object({ receivedAt: z.number(), answeredAt: z.number() });
const problem = z.object({ code: z.optional(z.string()) });

/** A request that hangs is tried again. */
const patienceMs = 60_000;
const longestAgeMs = 600_000;

const clock = new ServerClock();

export const recordingServer: RecordingServer = {
  async begin({ token, source, mimeType, hasVideo }, ageMs) {
    const age = Math.min(longestAgeMs, Math.max(0, Math.round(ageMs)));
    const body = JSON.stringify({ token, source, mimeType, hasVideo, ageMs: age });
    const answer = await post('/api/recordings/segments', body);
    if (answer?.status === 201) return begun.parse(await answer.json());
    const reply = await replyOf(answer);
    return reply === 'kept' ? 'retry' : reply;
  },

  putPart: (upload, number, content) =>
    put(upload, `parts/${number}`, content, 'application/octet-stream'),

  putPoster: (upload, content) => put(upload, 'poster', content, 'image/jpeg'),

  async complete({ segmentId, uploadToken }, partCount, startedAt) {
    const body = JSON.stringify({ uploadToken, partCount, startedAt: clock.ofServer(startedAt) });
    return replyOf(await post(`/api/recordings/segments/${segmentId}/complete`, body));
  },
};

async function put({ segmentId, uploadToken }: Begun, name: string, content: Blob, type: string) {
  const bytes = await content.arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const answer = await request(`/api/recordings/segments/${segmentId}/${name}`, {
    method: 'PUT',
    body: bytes,
    headers: {
      'content-type': type,
      authorization: `Bearer ${uploadToken}`,
      'content-digest': `sha-256=:${btoa(String.fromCharCode(...hash))}:`,
    },
  });
  return replyOf(answer);
}

const post = (path: string, body: string) =>
  request(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

async function request(path: string, init: RequestInit): Promise<Response | null> {
  const sentAt = Date.now();
  try {
    const answer = await fetch(path, { ...init, signal: AbortSignal.timeout(patienceMs) });
    const heardAt = Date.now();
    if (answer.status === 200 || answer.status === 201) {
      const told = times.safeParse(await answer.clone().json());
      if (told.success) clock.note({ sentAt, heardAt, ...told.data });
    }
    return answer;
  } catch {
    return null;
  }
}

async function replyOf(answer: Response | null): Promise<Reply> {
  if (answer === null) return 'retry';
  if (answer.ok) return 'kept';
  if (answer.status === 507) return 'full';
  if (answer.status === 429 || answer.status === 408 || answer.status >= 500) return 'retry';
  const code = await codeOf(answer);
  return code === 'consent_withdrawn' ? 'withdrawn' : 'refused';
}

async function codeOf(answer: Response): Promise<string | undefined> {
  try {
    return problem.parse(await answer.json()).code;
  } catch {
    return undefined;
  }
}
