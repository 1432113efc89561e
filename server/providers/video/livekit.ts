import { mediaRoomId, orgId, type ParticipantId, participantId, roomId } from '#domain/ids.ts';
import {
  type MediaEvent,
  MediaEventRefused,
  type MediaPass,
  type MediaRoom,
  type MediaServer,
} from './media-server.ts';
import { VideoEngineError } from './port.ts';

export interface LiveKitSettings {
  /** In the order in which they are tried; several if the nodes have no load balancer. */
  urls: readonly string[];
  apiKey: string;
  apiSecret: string;
}

/** An access token is used immediately; a later reconnect gets a new one. */
const passSeconds = 120;
/** A node that does not answer for this long is dead. Participants who wait have no video meanwhile. */
const patienceSeconds = 0.8;
/** An empty room closes after this long, because participants join immediately or not at all. */
const emptySeconds = 60;

/** `livekit-server-sdk` takes 0.1 s to load, so it is loaded only where LiveKit is used. */
const loadSdk = () => import('livekit-server-sdk');

/** LiveKit, by its server API (Twirp over HTTP). */
export function liveKit({ urls, apiKey, apiSecret }: LiveKitSettings): MediaServer {
  const sdk = loadSdk();
  let preferred = 0;

  const api = async (url: string) =>
    new (await sdk).RoomServiceClient(url.replace(/^ws/, 'http'), apiKey, apiSecret, {
      requestTimeout: patienceSeconds,
      failover: false,
    });

  /**
   * Sends a request to the address that answered last, then to the others. A refusal is an answer;
   * only a missing answer moves on.
   */
  async function ask<T>(
    question: (client: Awaited<ReturnType<typeof api>>) => Promise<T>,
  ): Promise<T> {
    let last: unknown;
    const first = preferred;
    for (let step = 0; step < urls.length; step += 1) {
      const at = (first + step) % urls.length;
      try {
        const answer = await question(await api(urls[at] ?? ''));
        preferred = at;
        return answer;
      } catch (error) {
        if (await isRefusal(error)) throw error;
        last = error;
      }
    }
    throw new VideoEngineError('LiveKit does not answer.', { cause: last });
  }

  const isRefusal = async (error: unknown) =>
    error instanceof (await sdk).TwirpError && error.status < 500;

  const create = (room: MediaRoom) =>
    ask((client) => client.createRoom({ name: nameOf(room), emptyTimeout: emptySeconds }));

  /** Ignores refusals, because the participant or room may be gone already. */
  async function order(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(await isRefusal(error))) throw error;
    }
  }

  return {
    name: 'livekit',
    async pass(room, person): Promise<MediaPass> {
      const { AccessToken, TrackSource } = await sdk;
      const token = new AccessToken(apiKey, apiSecret, { identity: person, ttl: passSeconds });
      token.addGrant({
        roomJoin: true,
        room: nameOf(room),
        canSubscribe: true,
        canPublish: true,
        canPublishSources: [
          TrackSource.MICROPHONE,
          TrackSource.CAMERA,
          TrackSource.SCREEN_SHARE,
          TrackSource.SCREEN_SHARE_AUDIO,
        ],
        canPublishData: false,
        canUpdateOwnMetadata: false,
      });
      return { url: urls[preferred] ?? '', token: await token.toJwt() };
    },

    async place(rooms) {
      const tries = rooms.map(async (room) => {
        await create(room);
        return room;
      });
      try {
        const placed = await Promise.any(tries);
        // Closes the superfluous rooms. Otherwise they would expire.
        void Promise.allSettled(tries.map((one) => one.then((room) => dropUnless(placed, room))));
        return placed;
      } catch (error) {
        throw new VideoEngineError('No LiveKit node takes a room.', { cause: error });
      }
    },

    async isAlive(room) {
      try {
        await create(room);
        return true;
      } catch {
        return false;
      }
    },

    async mute(room, person) {
      const { TrackSource } = await sdk;
      const name = nameOf(room);
      const silence = async () => {
        const { tracks } = await ask((client) => client.getParticipant(name, person));
        for (const { sid, source, muted } of tracks) {
          if (source !== TrackSource.MICROPHONE || muted) continue;
          await ask((client) => client.mutePublishedTrack(name, person, sid, true));
        }
      };
      await order(silence());
    },

    remove: (room, person) =>
      order(ask((client) => client.removeParticipant(nameOf(room), person))),

    close: (room) => order(ask((client) => client.deleteRoom(nameOf(room)))),

    async mayCarryEvent(authorization) {
      const { TokenVerifier } = await sdk;
      const verifier = new TokenVerifier(apiKey, apiSecret);
      const claims = await verifier.verify(authorization ?? '').catch(() => null);
      // Access tokens of participants have the same key, and no checksum.
      return typeof claims?.sha256 === 'string';
    },

    async readEvent(body, authorization) {
      const { WebhookReceiver } = await sdk;
      try {
        const receiver = new WebhookReceiver(apiKey, apiSecret);
        return eventOf(await receiver.receive(body, authorization));
      } catch (error) {
        throw new MediaEventRefused({ cause: error });
      }
    },
  };

  async function dropUnless(placed: MediaRoom, room: MediaRoom): Promise<void> {
    if (room.id !== placed.id) await order(ask((client) => client.deleteRoom(nameOf(room))));
  }
}

const nameOf = ({ orgId: org, roomId: room, id }: MediaRoom) => `${org}.${room}.${id}`;

function roomOf(name: string): MediaRoom | null {
  const [org, room, id, ...rest] = name.split('.');
  const parsed = {
    orgId: orgId.safeParse(org),
    roomId: roomId.safeParse(room),
    id: mediaRoomId.safeParse(id),
  };
  if (rest.length > 0 || !parsed.orgId.success || !parsed.roomId.success || !parsed.id.success) {
    return null;
  }
  return { orgId: parsed.orgId.data, roomId: parsed.roomId.data, id: parsed.id.data };
}

const kinds: Record<string, MediaEvent['kind']> = {
  participant_joined: 'joined',
  participant_left: 'left',
  participant_connection_aborted: 'left',
  room_finished: 'finished',
};

/** livekit.WebhookEvent, as livekit-server-sdk parses it. */
interface ToldEvent {
  id: string;
  event: string;
  room?: { name: string };
  participant?: { identity: string; disconnectReason: number };
}

/** livekit.DisconnectReason CLIENT_INITIATED: the page left on purpose. */
const saidGoodbye = 1;

function eventOf(told: ToldEvent): MediaEvent | null {
  const kind = kinds[told.event];
  const room = roomOf(told.room?.name ?? '');
  if (!kind || !room || told.id === '') return null;
  const person = participantId.safeParse(told.participant?.identity);
  const who: ParticipantId | null = person.success ? person.data : null;
  if (kind !== 'finished' && who === null) return null;
  const lost = kind === 'left' && told.participant?.disconnectReason !== saidGoodbye;
  return { id: told.id, kind, room, participantId: who, lost };
}
