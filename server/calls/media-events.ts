import { DomainError, notFound } from '#domain/errors.ts';
import type { OrgId, ParticipantId } from '#domain/ids.ts';
import { tellRecordingChange } from '#server/consent/recording-events.ts';
import type { Site } from '#server/http/route.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import { networkKey } from '#server/platform/address-key.ts';
import { holdPlace, placeBy } from '#server/platform/body-places.ts';
import type { Statement } from '#server/platform/database.ts';
import { FairQueue } from '#server/platform/fair-queue.ts';
import { limit, returnableLimit } from '#server/platform/rate-limit.ts';
import {
  type MediaEvent,
  MediaEventRefused,
  type MediaServer,
  type PresenceEvent,
} from '#server/providers/video/media-server.ts';
import type { EgressReport } from '#server/providers/video/track-recorder.ts';
import type { Services } from '#server/services.ts';
import { closeMediaRoom, findMediaRoom } from './media-rooms.ts';
import { tellRoom } from './room-events.ts';

/** In bytes: an event names a room, a participant and their tracks. */
const longestEvent = 64_000;
const store: Statement = {
  name: 'store_media_event',
  text: `insert into media_events (id, org_id, media_room_id, kind, participant_id, lost)
    select $2, m.org_id, m.id, $4, $5, $6 from media_rooms m where m.org_id = $1 and m.id = $3
    on conflict do nothing returning id`,
};

/** Of one address: requests that the media server did not sign. */
const mostUnsigned = { name: 'livekit_webhook', most: 6_000, windowSeconds: 60 };
/**
 * Of one organization in a minute. Large meetings that start at the same time send hundreds of events within a few
 * seconds. All organizations have one media server, and so one address.
 */
const mostOfOrganization = 6_000;
/** Of one organization. Organizations do not wait for each other. */
const turns = { atOnce: Number.POSITIVE_INFINITY, perKey: 4, mostWaiting: 500 };

/** Takes over a recording that the media server reports. */
type TakeOver = (services: Services, orgId: OrgId, report: EgressReport) => Promise<void>;

/** `POST /api/webhooks/livekit`: signed events of the media server. Exists only with one. */
export function mediaEventRoutes(site: Site, takeOver: TakeOver): void {
  const { http, log } = site;
  const { mediaServer } = site.video;
  if (mediaServer === null) return;
  const unsigned = returnableLimit(site, mostUnsigned);
  const receiving = limit(site, 'livekit_events', mostOfOrganization, 60);
  const inTurn = new FairQueue(turns);
  // The signature covers the exact bytes.
  http.addContentTypeParser('application/webhook+json', { parseAs: 'string' }, (_, body, done) => {
    done(null, body);
  });
  const route = {
    schema: { hide: true },
    bodyLimit: longestEvent,
    onRequest: placeBy(async ({ headers, ip }) => {
      unsigned.take(ip);
      if (!(await mediaServer.mayCarryEvent(headers.authorization))) {
        throw badSignature(new MediaEventRefused());
      }
      unsigned.giveBack(ip);
      return networkKey(ip);
    }),
  };
  http.post('/api/webhooks/livekit', route, async (request, reply) => {
    const { body, headers, ip } = request;
    if (typeof body !== 'string') throw notFound();
    // Its place is free once it is read, because all organizations share those of the media server's address.
    const event = await holdPlace(request, () =>
      read(mediaServer, body, headers.authorization).catch((error: unknown) => {
        unsigned.take(ip);
        throw error;
      }),
    );
    if (event) {
      const { orgId } = event.room;
      receiving(orgId);
      await inTurn.run(orgId, () => hearMediaEvent(site, mediaServer, event, takeOver));
    } else log.debug('an event of the media server that means nothing to us');
    return reply.code(200).send({});
  });
}

async function read(server: MediaServer, body: string, authorization: string | undefined) {
  try {
    return await server.readEvent(body, authorization);
  } catch (error) {
    if (!(error instanceof MediaEventRefused)) throw error;
    throw badSignature(error);
  }
}

const badSignature = ({ message }: MediaEventRefused) =>
  new DomainError('unauthorized', 'bad_signature', message);

async function hearMediaEvent(
  site: Site,
  server: MediaServer,
  event: MediaEvent,
  takeOver: TakeOver,
): Promise<void> {
  if (event.kind === 'egress') await takeOver(site, event.room.orgId, event.report);
  if (event.kind === 'egress' || event.kind === 'published') {
    const { orgId, roomId } = event.room;
    tellRecordingChange(site.bus, { orgId, roomId });
    return;
  }
  await hearPresence(site, server, event);
}

/** Applies each event once, however often it is received, and only to media rooms that we opened. */
async function hearPresence(site: Site, server: MediaServer, event: PresenceEvent): Promise<void> {
  const { id, kind, room, participantId, lost } = event;
  const actor = { kind: 'system' as const, name: server.name, orgId: room.orgId };
  const tenant = tenantOf(site.database, actor, null);
  const stored = await tenant.connection(({ run }) =>
    run(store, [room.orgId, id, room.id, kind, participantId, lost]),
  );
  if (stored.length === 0) return;
  const current = await findMediaRoom(tenant, room.roomId);
  const present = await site.bus.presence.list(room.roomId);
  const inMeeting = present.filter((one) => one.inMeeting);
  if (kind === 'finished') {
    if (inMeeting.length === 0) await forget(site, tenant, event);
  } else if (participantId) {
    const isIn = current?.id === room.id && inMeeting.some((one) => one.id === participantId);
    if (kind === 'joined' && !isIn) await server.remove(room, participantId);
    if (kind === 'left' && lost && isIn) sendBack(site, event, participantId);
  }
}

/** The media room is empty. The next participants start as the engine does. */
async function forget({ bus }: Site, tenant: Tenant, { room }: PresenceEvent): Promise<void> {
  if (await closeMediaRoom(tenant, room.id)) tellRoom(bus, room.roomId, { mediaRoom: null });
}

/** The page may not have noticed yet that it has no media. */
function sendBack({ bus }: Site, { room }: PresenceEvent, participantId: ParticipantId): void {
  tellRoom(bus, room.roomId, { to: participantId, mediaRoom: room });
}
