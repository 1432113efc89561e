import { type EgressOutput, trackRecorder } from './livekit-egress.ts';
import { eventOf } from './livekit-events.ts';
import { LiveKitNodes, type LiveKitSettings } from './livekit-nodes.ts';
import { nameOf } from './livekit-room-name.ts';
import type { MediaRoom } from './media-room.ts';
import { MediaEventRefused, type MediaPass, type MediaServer } from './media-server.ts';
import { VideoEngineError } from './port.ts';

/** An access token is used immediately; a later reconnect gets a new one. */
const passSeconds = 120;
/** An empty room closes after this long, because participants join immediately or not at all. */
const emptySeconds = 60;

/**
 * LiveKit, by its server API.
 * @param output where its Egress writes; null if it is not set up
 */
export function liveKit(
  settings: LiveKitSettings,
  output: EgressOutput | null = null,
): MediaServer {
  const { apiKey, apiSecret } = settings;
  const nodes = new LiveKitNodes(settings);
  const { sdk } = nodes;

  const ask = <T>(question: (client: Awaited<ReturnType<typeof nodes.rooms>>) => Promise<T>) =>
    nodes.ask(async (url) => question(await nodes.rooms(url)));

  const create = (room: MediaRoom) =>
    ask((client) => client.createRoom({ name: nameOf(room), emptyTimeout: emptySeconds }));

  /** Ignores refusals, because the participant or room may be gone already. */
  async function order(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(await nodes.isRefusal(error))) throw error;
    }
  }

  return {
    name: 'livekit',
    recorder: output && trackRecorder(nodes, output),
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
      return { url: nodes.url, token: await token.toJwt() };
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
        return eventOf(await receiver.receive(body, authorization), output);
      } catch (error) {
        throw new MediaEventRefused({ cause: error });
      }
    },
  };

  async function dropUnless(placed: MediaRoom, room: MediaRoom): Promise<void> {
    if (room.id !== placed.id) await order(ask((client) => client.deleteRoom(nameOf(room))));
  }
}
