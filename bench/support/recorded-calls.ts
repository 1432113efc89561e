import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { guestLinkId, orgId, participantId, roomId } from '#domain/ids.ts';
import { keptSecret, secretsFrom } from '#server/platform/secrets.ts';
import { mintMeetingToken } from '#server/rooms/meeting-token.ts';
import type { ApiUser } from '../../e2e/support/api.ts';
import { ownerLogin } from '../../e2e/support/own-database.ts';
import type { Program } from '../../e2e/support/program.ts';

/** A segment that a page records, by its upload token. */
export interface Segment {
  callId: string;
  segmentId: string;
  uploadToken: string;
}

/** A guest of a recorded call, by their meeting token. */
interface RecordedGuest {
  callId: string;
  token: string;
}

/** Starts calls that are recorded, of people who have agreed, and begins a segment for each person. */
export async function beginSegments(
  program: Program,
  user: ApiUser,
  size: { calls: number; people: number },
): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const { callId, token } of await recordedGuests(program, user, size)) {
    segments.push({ callId, ...(await begin(program.url, token)) });
  }
  return segments;
}

/** Starts calls that are recorded, of people who have agreed. */
export async function recordedGuests(
  program: Pick<Program, 'dataDir'>,
  user: ApiUser,
  size: { calls: number; people: number },
): Promise<RecordedGuest[]> {
  const owner = new pg.Client(ownerLogin(program.dataDir));
  await owner.connect();
  try {
    return await joinAll(owner, program, user, size);
  } finally {
    await owner.end();
  }
}

async function joinAll(
  owner: pg.Client,
  program: Pick<Program, 'dataDir'>,
  user: ApiUser,
  { calls, people }: { calls: number; people: number },
): Promise<RecordedGuest[]> {
  const secrets = secretsFrom(keptSecret(program.dataDir));
  const { orgId: org } = await user.send<{ orgId: string }>('GET', '/api/user');
  const guests: RecordedGuest[] = [];
  for (let count = 0; count < calls; count += 1) {
    const room = await user.send<{ id: string }>('POST', '/api/rooms', { topic: `Call ${count}` });
    const call = await user.send<{ id: string }>('POST', '/api/calls', { roomId: room.id });
    await owner.query(
      `insert into captures (id, org_id, call_id, kind) values (gen_random_uuid(), $1, $2, 'recording')`,
      [org, call.id],
    );
    for (let person = 0; person < people; person += 1) {
      const id = participantId.parse(randomUUID());
      const own = [id, org, call.id];
      await owner.query(
        `insert into attendances (id, org_id, call_id, kind, name) values ($1, $2, $3, 'guest', 'Guest')`,
        own,
      );
      await owner.query(
        `insert into consents (id, org_id, room_id, call_id, participant_id, participant_kind, name, asked,
            agreed, question, question_version, language, client_id)
          values (('00000000-0000-7000-8000-' || substr(md5(random()::text), 1, 12))::uuid, $2, $4, $3, $1, 'guest',
            'Guest', array['recording'], array['recording'], 'May we?', 1, 'en', 'bench')`,
        [...own, room.id],
      );
      const token = await mintMeetingToken(secrets, {
        kind: 'guest',
        participantId: id,
        orgId: orgId.parse(org),
        roomId: roomId.parse(room.id),
        guestLinkId: guestLinkId.parse(randomUUID()),
      });
      guests.push({ callId: call.id, token });
    }
  }
  return guests;
}

async function begin(url: string, token: string): Promise<Omit<Segment, 'callId'>> {
  const answer = await fetch(`${url}/api/recordings/segments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      token,
      source: 'camera',
      mimeType: 'video/x-matroska',
      hasVideo: true,
    }),
  });
  if (answer.status !== 201) throw new Error(`a segment began with ${answer.status}`);
  return (await answer.json()) as Omit<Segment, 'callId'>; // by the contract
}

/** Uploads a part. @returns the milliseconds until it was acknowledged */
export async function sendPart(
  url: string,
  { segmentId, uploadToken }: Segment,
  number: number,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(`${url}/api/recordings/segments/${segmentId}/parts/${number}`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/octet-stream',
      authorization: `Bearer ${uploadToken}`,
      'content-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
    },
    body: bytes,
  });
  if (answer.status !== 201) throw new Error(`part ${number} was answered with ${answer.status}`);
  return performance.now() - startedAt;
}

export async function complete(
  url: string,
  { segmentId, uploadToken }: Segment,
  partCount: number,
): Promise<void> {
  await fetch(`${url}/api/recordings/segments/${segmentId}/complete`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uploadToken, partCount }),
  });
}

/** Uploads a whole file in `atMost` parts. @returns their number */
export async function uploadParts(
  url: string,
  segment: Segment,
  bytes: Buffer,
  atMost: number,
): Promise<number> {
  const size = Math.ceil(bytes.length / atMost);
  const count = Math.ceil(bytes.length / size);
  for (let number = 0; number < count; number += 1) {
    const part = Uint8Array.from(bytes.subarray(number * size, (number + 1) * size));
    await sendPart(url, segment, number, part);
  }
  return count;
}
