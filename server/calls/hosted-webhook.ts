import type { FastifyRequest } from 'fastify';
import { DomainError, notFound } from '#domain/errors.ts';
import { tellRecordingChange } from '#server/consent/recording-events.ts';
import type { Site } from '#server/http/route.ts';
import { tenantOf } from '#server/platform/access.ts';
import { networkKey } from '#server/platform/address-key.ts';
import { Allowance } from '#server/platform/allowance.ts';
import { holdPlace, placeBy } from '#server/platform/body-places.ts';
import { sizeOf } from '#server/platform/body-size.ts';
import { exceeds, ordinaryBounds } from '#server/platform/bounded-json.ts';
import { FairQueue, tooManyWaiting } from '#server/platform/fair-queue.ts';
import { withoutControls } from '#server/platform/json-text.ts';
import {
  type DailyEvent,
  type DailyRecordingEvent,
  isHandshake,
  isSignedByDaily,
  readDailyEvent,
  readRecordingEvent,
} from '#server/providers/video/daily/webhook.ts';
import type { RecordingEvent } from '#server/providers/video/hosted-recorder.ts';
import { tellCallChange } from './call-changes.ts';
import { guestName } from './guest-name.ts';
import { notePresence, type PresenceEvent } from './hosted-presence.ts';
import type { HostedRecordings } from './hosted-recordings.ts';
import { ejectWithoutRights } from './hosted-verdicts.ts';
import { findRunningCall } from './start-call.ts';

/** In bytes: an event names a room and a participant. */
const longestBody = 64_000;
/** Requests of an address that Daily has not signed. Daily's own come from few addresses, for all organizations. */
const unsigned = { burst: 600, perSecond: 10 };
/** Events of one organization that are handled before they are answered. */
const ofOrganization = { burst: 300, perSecond: 20 };
/**
 * More are handled afterward, in turns of the organizations, because Daily stops sending events after three that
 * were refused.
 */
const later = { atOnce: 3, perKey: 1, mostWaiting: 1_000 };

/**
 * Receives Daily's events about joining and leaving, which also cover participants whose own page
 * is gone.
 */
export async function hostedWebhook(
  site: Site,
  recordings: Pick<HostedRecordings, 'noteRecording' | 'noteArrival'>,
): Promise<void> {
  if (site.video.name !== 'daily') return;
  const { RATE_LIMIT_SCALE: scale } = site.config;
  const refusals = new Allowance(unsigned, scale);
  const handled = new Allowance(ofOrganization, scale);
  const turns = new FairQueue(later);
  const waiting = new Map<string, number>();
  const handleInTurn = async (org: string, handle: () => Promise<void>): Promise<void> => {
    const before = waiting.get(org) ?? 0;
    // None overtakes those that wait: who left after joining must not be noted as present.
    if (before === 0 && handled.take(org, 1) === 0) return handle();
    waiting.set(org, before + 1);
    turns
      .run(org, handle)
      .catch((error) => {
        site.log.error({ err: error, org }, 'an event of Daily’s was not handled');
      })
      .finally(() => {
        const left = (waiting.get(org) ?? 1) - 1;
        if (left > 0) waiting.set(org, left);
        else waiting.delete(org);
      });
  };
  await site.http.register(async (http) => {
    // The signature covers the exact bytes.
    http.removeContentTypeParser('application/json');
    http.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    const route = {
      schema: { hide: true },
      bodyLimit: longestBody,
      onRequest: placeBy((request) => {
        const key = networkKey(request.ip);
        const waitMs = refusals.debtMs(key);
        if (waitMs > 0) throw tooManyWaiting(Math.ceil(waitMs / 1000));
        // The handshake is short, and unsigned.
        if (sizeOf(request) !== 'short') requireSignature(site, request);
        return key;
      }),
    };
    http.post('/api/webhooks/daily', route, async (request, reply) => {
      const body = parse(request.body);
      const key = networkKey(request.ip);
      refusals.spend(key, 1);
      if (isHandshake(body)) return reply.code(200).send({});
      if (!isSigned(site, request)) throw badSignature();
      refusals.spend(key, -1);
      await holdPlace(request, async () => {
        const event = readDailyEvent(body);
        const org = event?.payload.room?.orgId;
        if (event && org) await handleInTurn(org, () => note(site, recordings, event, request.ip));
        const recording = recordingOf(readRecordingEvent(body));
        if (!recording) return;
        const of = 'room' in recording ? recording.room.orgId : 'unknown';
        await handleInTurn(of, () => recordings.noteRecording(site, recording));
      });
      // Events that are ignored are answered 200, too, because Daily stops sending after three
      // refusals.
      return reply.code(200).send({});
    });
  });
}

function isSigned(site: Site, request: FastifyRequest): boolean {
  const { secret, ...signed } = requireSignature(site, request);
  return isSignedByDaily(secret, { ...signed, body: String(request.body) }, new Date());
}

/**
 * Returns the signature that the headers claim, with the secret to check it.
 * @throws DomainError 400 without one of Daily's form; 404 without the secret
 */
function requireSignature({ config }: Site, { headers }: FastifyRequest) {
  const { DAILY_WEBHOOK_SECRET: secret } = config;
  if (!secret) throw notFound();
  const { 'x-webhook-signature': signature, 'x-webhook-timestamp': timestamp } = headers;
  if (typeof signature !== 'string' || typeof timestamp !== 'string') throw badSignature();
  if (!/^[\w+/-]{43}=?$/.test(signature)) throw badSignature();
  return { secret, signature, timestamp };
}

const badSignature = () =>
  new DomainError('invalid', 'bad_signature', 'This webhook isn’t signed by Daily.');

function parse(body: unknown): unknown {
  const text = String(body);
  if (exceeds(text, ordinaryBounds)) return null;
  try {
    return JSON.parse(withoutControls(text));
  } catch {
    return null;
  }
}

async function note(
  site: Site,
  { noteArrival }: Pick<HostedRecordings, 'noteArrival'>,
  event: DailyEvent,
  address: string,
): Promise<void> {
  const { room } = event.payload;
  const told = presenceOf(event);
  if (room === null || told === null) return;
  const actor = { kind: 'system' as const, name: 'daily-webhook', orgId: room.orgId };
  const tenant = tenantOf(site.database, actor, address);
  if (told.kind === 'joined' && (await ejectWithoutRights(site, tenant, room, told.person))) return;
  const call = await findRunningCall(tenant, room.roomId);
  if (!call) return;
  await notePresence(tenant, call.id, told);
  tellCallChange(site.bus, tenant.orgId);
  if (told.kind === 'joined' && event.type === 'participant.joined')
    await noteArrival(site, tenant, room, told.person, ofSeconds(event.payload.joined_at));
  else if (site.video.page?.recorder) tellRecordingChange(site.bus, room);
}

function recordingOf(event: DailyRecordingEvent | null): RecordingEvent | null {
  if (event === null) return null;
  if (event.type === 'recording.started') {
    const { instance_id: instance, recording_id: recordingId } = event.payload;
    return { kind: 'started', instance, recordingId };
  }
  const { room_name: room } = event.payload;
  if (room === null) return null;
  if (event.type === 'recording.error') {
    const { instance_id: instance, error_msg: error } = event.payload;
    return { kind: 'failed', instance, room, error };
  }
  const { recording_id: recordingId, start_ts: startedAt } = event.payload;
  return { kind: 'ready', recordingId, room, startedAt: ofSeconds(startedAt) };
}

function presenceOf({ id, type, payload }: DailyEvent): PresenceEvent | null {
  if (type === 'meeting.ended') return { id, kind: 'empty', at: ofSeconds(payload.end_ts) };
  const { user_id: person, owner: isHost, joined_at: joinedAt } = payload;
  if (!person) return null;
  if (type === 'participant.joined') {
    return { id, kind: 'joined', person, isHost, name: guestName(payload.user_name ?? '') };
  }
  return { id, kind: 'left', person, at: ofSeconds(joinedAt + payload.duration) };
}

const ofSeconds = (seconds: number) => new Date(seconds * 1000);
