import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AccountId,
  type CallId,
  guestLinkId,
  orgId,
  type ParticipantId,
  participantId,
  roomId,
} from '#domain/ids.ts';
import { getRecording } from '#domain/recordings/contract.ts';
import { mintMeetingToken } from '#server/rooms/meeting-token.ts';
import type { TestApp } from './open-test-app.ts';
import { storeConsent } from './stored-consent.ts';
import { newOrganization, runningCall, Visitor } from './visitor.ts';

/**
 * Six seconds as Chromium's MediaRecorder wrote them from its own test camera and microphone: 160 by 120 pixels,
 * 10 pictures a second, a key frame every 2 s.
 */
export const recorded = {
  camera: readFileSync(join(import.meta.dirname, 'recorded/camera.webm')),
  microphone: readFileSync(join(import.meta.dirname, 'recorded/microphone.webm')),
  /** In VP8, of a canvas that is black for 1.5 s and then red. */
  vp8: readFileSync(join(import.meta.dirname, 'recorded/vp8.webm')),
};

/** Returns the bytes in `count` parts, as they could be uploaded. */
export function partsOf(bytes: Buffer, count: number): Buffer[] {
  const size = Math.ceil(bytes.length / count);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

export interface RecordedParticipant {
  id: ParticipantId;
  token: string;
}

/** A running call that is being recorded, with people who have agreed. */
export async function recordedCall(app: TestApp) {
  const ada = await newOrganization(app);
  const { call, room } = await runningCall(ada);
  const org = orgId.parse(ada.user.orgId);
  await app.owner.query(
    `insert into captures (id, org_id, call_id, kind) values (gen_random_uuid(), $1, $2, 'recording')`,
    [org, call.id],
  );
  const join = async (name: string, account: AccountId | null = null, agrees = true) => {
    const id = participantId.parse(randomUUID());
    await app.owner.query(
      `insert into attendances (id, org_id, call_id, kind, account_id, name)
        values ($1, $2, $3, $4, $5, $6)`,
      [id, org, call.id, account ? 'staff' : 'guest', account, name],
    );
    if (agrees) await answerRecording(app, call.id, id, true);
    const token = await mintMeetingToken(app.services.secrets, {
      kind: 'guest',
      participantId: id,
      orgId: org,
      roomId: roomId.parse(room.id),
      guestLinkId: guestLinkId.parse(randomUUID()),
    });
    return { id, token };
  };
  return { ada, org, call, room, join };
}

/** Stores a participant's newest answer to the question whether they may be recorded. */
export const answerRecording = (
  app: TestApp,
  callId: string,
  participantId: string,
  agrees: boolean,
) =>
  storeConsent(app, {
    ...{ callId, participantId, asked: ['recording'] },
    agreed: agrees ? ['recording'] : [],
  });

export interface Upload {
  segmentId: string;
  uploadToken: string;
}

const page = (app: TestApp) => new Visitor(app);

export const begin = (app: TestApp, { token }: { token: string }, more: object = {}) =>
  page(app).send('POST', '/api/recordings/segments', {
    token,
    source: 'camera',
    mimeType: 'video/webm;codecs=h264,opus',
    hasVideo: true,
    ...more,
  });

export const digestOf = (bytes: Buffer) =>
  `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

export const sendPart = (
  app: TestApp,
  { segmentId, uploadToken }: Upload,
  number: number | string,
  bytes: Buffer,
  headers: Record<string, string> = {},
) =>
  page(app).send('PUT', `/api/recordings/segments/${segmentId}/parts/${number}`, bytes, {
    'content-type': 'application/octet-stream',
    authorization: `Bearer ${uploadToken}`,
    'content-digest': digestOf(bytes),
    ...headers,
  });

export const sendPoster = (app: TestApp, { segmentId, uploadToken }: Upload, bytes: Buffer) =>
  page(app).send('PUT', `/api/recordings/segments/${segmentId}/poster`, bytes, {
    'content-type': 'image/jpeg',
    authorization: `Bearer ${uploadToken}`,
    'content-digest': digestOf(bytes),
  });

export const complete = (
  app: TestApp,
  { segmentId, uploadToken }: Upload,
  partCount: number,
  more: object = {},
) =>
  page(app).send('POST', `/api/recordings/segments/${segmentId}/complete`, {
    uploadToken,
    partCount,
    ...more,
  });

/** Uploads a whole segment. */
export async function uploadSegment(
  app: TestApp,
  participant: { token: string },
  parts: readonly Buffer[],
  more: object = {},
): Promise<Upload> {
  const { body } = await begin(app, participant, more);
  const upload = body as Upload;
  for (const [number, bytes] of parts.entries()) await sendPart(app, upload, number, bytes);
  await complete(app, upload, parts.length);
  return upload;
}

export const recordingOf = (visitor: Visitor, id: CallId) =>
  visitor.call(getRecording, { params: { id } });
