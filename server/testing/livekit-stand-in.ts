import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import {
  EgressInfo,
  EgressStatus,
  ParticipantInfo,
  TokenVerifier,
  TrackEgressRequest,
  TrackInfo,
  TrackSource,
  type VideoGrant,
} from 'livekit-server-sdk';
import { z } from 'zod';
import type { RecordedSource } from '#domain/recordings/contract.ts';
import { fakeMediaKey } from './fake-media-server.ts';

type TrackSourceName = Exclude<RecordedSource, 'everyone'>;
const sources = {
  camera: TrackSource.CAMERA,
  microphone: TrackSource.MICROPHONE,
  screen: TrackSource.SCREEN_SHARE,
  'screen-sound': TrackSource.SCREEN_SHARE_AUDIO,
} satisfies Record<TrackSourceName, TrackSource>;

/** What LiveKit's server API takes, as far as it is used: livekit_egress.proto and livekit_room.proto. */
const ofRoom = z.strictObject({ room: z.string().min(1) });
const listed = z.strictObject({
  roomName: z.string().optional(),
  egressId: z.string().optional(),
  active: z.boolean().optional(),
});
const stopped = z.strictObject({ egressId: z.string().min(1) });

/** An egress whose file has an extension by its codec, as Egress chooses it. */
interface Finished {
  extension?: 'mp4' | 'webm' | 'ogg';
  sizeBytes?: number;
  startedAt?: Date;
  status?: EgressStatus;
  error?: string;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Starts a server that speaks the part of LiveKit's server API that Rapport uses (Twirp, JSON). It parses requests by
 * LiveKit's own message types, and refuses those with unknown fields, without the grant, or about what there is not.
 */
export async function startLiveKitStandIn() {
  const rooms = new Map<string, ParticipantInfo[]>();
  const egresses = new Map<string, EgressInfo>();
  /** In the order in which they came, without those that only read. */
  const orders: string[] = [];
  /** While set, such requests fail with 503, before or after they take effect. */
  const faults = new Map<string, 'before' | 'after'>();
  const verifier = new TokenVerifier(fakeMediaKey.apiKey, fakeMediaKey.apiSecret);

  const grantsOf = async ({ headers }: IncomingMessage) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    const claims = await verifier.verify(token).catch(() => {
      throw new Refusal(401, 'unauthenticated', 'invalid token');
    });
    return claims.video ?? {};
  };
  const peopleOf = (name: string) => {
    const people = rooms.get(name);
    if (!people) throw new Refusal(404, 'not_found', 'requested room does not exist');
    return people;
  };
  const egressOf = (id: string) => {
    const info = egresses.get(id);
    if (!info) throw new Refusal(404, 'not_found', 'egress does not exist');
    return info;
  };
  const isActive = ({ status }: EgressInfo) => status <= EgressStatus.EGRESS_ENDING;

  const methods: Record<string, (body: unknown) => unknown> = {
    'RoomService/ListParticipants': (body) => ({
      participants: peopleOf(ofRoom.parse(body).room).map((one) => one.toJson()),
    }),
    'RoomService/CreateRoom': (body) => body,
    'RoomService/DeleteRoom': (body) => rooms.delete(ofRoom.parse(body).room) && {},
    'RoomService/RemoveParticipant': () => ({}),
    'Egress/StartTrackEgress': (body) => {
      const request = TrackEgressRequest.fromJson(body as never);
      const { roomName, trackId, output } = request;
      const tracks = peopleOf(roomName).flatMap((one) => one.tracks);
      if (!tracks.some(({ sid }) => sid === trackId))
        throw new Refusal(404, 'not_found', 'track not found');
      if (output.case !== 'file' || output.value.filepath === '')
        throw new Refusal(400, 'invalid_argument', 'request has missing or invalid field: output');
      const info = new EgressInfo({
        egressId: `EG_${randomUUID()}`,
        roomName,
        status: EgressStatus.EGRESS_STARTING,
        request: { case: 'track', value: request },
      });
      egresses.set(info.egressId, info);
      orders.push(`start ${trackId}`);
      return info.toJson();
    },
    'Egress/StopEgress': (body) => {
      const info = egressOf(stopped.parse(body).egressId);
      if (!isActive(info))
        throw new Refusal(412, 'failed_precondition', 'egress cannot be stopped');
      info.status = EgressStatus.EGRESS_ENDING;
      orders.push(`stop ${trackOf(info)}`);
      return info.toJson();
    },
    'Egress/ListEgress': (body) => {
      const { roomName, egressId, active } = listed.parse(body);
      const items = [...egresses.values()].filter(
        (info) =>
          (!roomName || info.roomName === roomName) &&
          (!egressId || info.egressId === egressId) &&
          (!active || isActive(info)),
      );
      return { items: items.map((info) => info.toJson()) };
    },
  };

  async function answer(request: IncomingMessage): Promise<unknown> {
    const name = /^\/twirp\/livekit\.(\w+\/\w+)$/.exec(request.url ?? '')?.[1] ?? '';
    const method = methods[name];
    if (request.method !== 'POST' || !method) throw new Refusal(404, 'bad_route', 'no such method');
    const body = await json(request);
    const grants = await grantsOf(request);
    if (!isGranted(name, grants, body))
      throw new Refusal(403, 'permission_denied', 'permissions denied');
    const fault = faults.get(name);
    if (fault === 'before') throw new Refusal(503, 'unavailable', 'no response from servers');
    const done = method(body);
    if (fault === 'after') throw new Refusal(503, 'unavailable', 'no response from servers');
    return done;
  }

  const server = createServer(async (request, response) => {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    try {
      send(200, await answer(request));
    } catch (error) {
      const { status, code } =
        error instanceof Refusal ? error : { status: 400, code: 'malformed' };
      send(status, { code, msg: error instanceof Error ? error.message : '' });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();

  return {
    url: `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    egresses,
    orders,
    faults,
    /** A participant sends a track. @returns its name */
    publish(roomName: string, identity: string, source: TrackSourceName): string {
      const people = rooms.get(roomName) ?? [];
      rooms.set(roomName, people);
      const known = people.find((one) => one.identity === identity);
      const person = known ?? new ParticipantInfo({ identity, sid: `PA_${randomUUID()}` });
      if (!known) people.push(person);
      const sid = `TR_${source}_${randomUUID().slice(0, 8)}`;
      person.tracks.push(new TrackInfo({ sid, source: sources[source] }));
      return sid;
    },
    unpublish(roomName: string, track: string): void {
      for (const person of rooms.get(roomName) ?? [])
        person.tracks = person.tracks.filter(({ sid }) => sid !== track);
    },
    /** Returns the egress that records a track, the newest. */
    egressOfTrack: (track: string) =>
      [...egresses.values()].findLast((info) => trackOf(info) === track),
    /** An egress is over, as LiveKit reports it. @returns where its file belongs */
    finish(info: EgressInfo, { extension, sizeBytes = 0, startedAt, status, error }: Finished) {
      info.status = status ?? EgressStatus.EGRESS_COMPLETE;
      info.error = error ?? '';
      const { output } = info.request.value as TrackEgressRequest;
      const path = `${output.case === 'file' ? output.value.filepath : ''}.${extension}`;
      if (extension) {
        // In nanoseconds.
        const startedNs = BigInt((startedAt ?? new Date()).getTime()) * 1_000_000n;
        const file = { filename: path, size: BigInt(sizeBytes), startedAt: startedNs };
        info.fileResults = new EgressInfo({ fileResults: [file] }).fileResults;
      }
      return path;
    },
    close: () => new Promise((closed) => server.close(closed)),
  };
}

export type LiveKitStandIn = Awaited<ReturnType<typeof startLiveKitStandIn>>;

/** Each method needs its own grant (VideoGrant), as in LiveKit's server. */
function isGranted(name: string, grants: VideoGrant, body: unknown): boolean {
  if (name.startsWith('Egress/')) return grants.roomRecord === true;
  if (/CreateRoom|DeleteRoom/.test(name)) return grants.roomCreate === true;
  const { data } = z.object({ room: z.string() }).safeParse(body);
  return grants.roomAdmin === true && grants.room === data?.room;
}

const trackOf = ({ request }: EgressInfo) =>
  request.case === 'track' ? request.value.trackId : '';
