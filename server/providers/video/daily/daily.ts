import { z } from 'zod';
import type { ParticipantId } from '#domain/ids.ts';
import type { HostedRoom, RequestTurn } from '../hosted-room.ts';
import { type VideoEngine, VideoEngineError, type Visit } from '../port.ts';
import {
  type DailyAccess,
  DailyApi,
  type DailyMachine,
  DailyRefusal,
  unless,
} from './daily-api.ts';
import { dailyRecorder } from './recorder.ts';
import { roomNameOf } from './room-name.ts';

export interface DailySettings extends DailyAccess {
  /** The Daily domain, e.g. https://example.daily.co, which serves its page. */
  domainUrl: string;
  /** Whether Daily reports joins to us (docs/video.md). */
  hasWebhook: boolean;
  /** Whether Daily records calls of people who have all agreed. */
  records: boolean;
}

const room = z.object({
  name: z.string(),
  privacy: z.string(),
  url: z.string(),
  config: z.object({ enable_recording: z.unknown() }).catch({ enable_recording: undefined }),
});
const token = z.object({ token: z.string().min(1) });
const ejected = z.object({ ejectedIds: z.array(z.string()) });

/**
 * How long a participant stays at most, which is longer than a call, and shorter than who has a token is stored
 * (rooms/hosted-tokens.ts). The end of the token itself does not end the stay.
 */
const longestStaySeconds = 12 * 60 * 60;
/** Clocks differ, so a token is valid from a little before its creation. */
const earlierSeconds = 60;
/** Most participants of one eject request (page "Eject"). */
const mostEjected = 100;
const longestName = 80;
/**
 * Daily accepts 20 requests a second, or 100 in five seconds, for one API key (page "Rate limits"). All
 * together stay below that, so that no opening delays an ejection, or the end of a recording.
 */
const rates = {
  opening: { burst: 12, perSecond: 10 },
  ejection: { burst: 10, perSecond: 4 },
  recording: { burst: 2, perSecond: 1 },
};

/**
 * Calls by Daily: rooms and tokens by REST, and its page ("Prebuilt") in the call's frame. Sources:
 * Daily's reference pages "Create room", "Get room config", "Update room", "Create meeting token",
 * "Eject" and its guides "Controlling who joins a meeting" and "Waiting room".
 */
export function daily(settings: DailySettings, using?: Partial<DailyMachine>): VideoEngine {
  const apiWith = (turn: RequestTurn) => new DailyApi(settings, turn, using);

  // In parallel, because a token needs only the room's name.
  async function admit(visit: Visit, turn: RequestTurn) {
    const name = roomNameOf(visit);
    const api = apiWith(turn);
    const [dailyUrl, made] = await Promise.all([
      roomUrl(api, name),
      api.ask('POST', '/meeting-tokens', token, tokenFor(visit, name)),
    ]);
    return { dailyUrl, meetingToken: made.token, panelToken: visit.meetingToken };
  }

  async function roomUrl(api: DailyApi, name: string): Promise<string> {
    const found = (await find(api, name)) ?? (await make(api, name));
    const isPrivate = found.privacy === 'private';
    const isReady = !settings.records || found.config.enable_recording === 'cloud';
    if (!isPrivate || !isReady) {
      await api.ask('POST', `/rooms/${name}`, room, {
        ...(!isPrivate && { privacy: 'private' }),
        ...(!isReady && { properties: recordingProperties }),
      });
    }
    if (new URL(found.url).origin !== new URL(settings.domainUrl).origin) {
      throw new VideoEngineError(`Daily's room is at ${found.url}, not under DAILY_URL`);
    }
    return found.url;
  }

  async function find(api: DailyApi, name: string): Promise<z.infer<typeof room> | null> {
    try {
      return await api.ask('GET', `/rooms/${name}`, room);
    } catch (error) {
      if (error instanceof DailyRefusal && error.status === 404) return null;
      throw error;
    }
  }

  async function make(api: DailyApi, name: string): Promise<z.infer<typeof room>> {
    try {
      return await api.ask('POST', '/rooms', room, {
        name,
        privacy: 'private',
        properties: { ...roomProperties, ...(settings.records && recordingProperties) },
      });
    } catch (error) {
      // Another request created the room at the same moment.
      const found =
        error instanceof DailyRefusal && error.status === 400 && (await find(api, name));
      if (found) return found;
      throw error;
    }
  }

  async function remove(
    from: HostedRoom,
    people: ParticipantId[],
    ban: boolean,
    turn: RequestTurn,
  ): Promise<void> {
    const path = `/rooms/${roomNameOf(from)}/eject`;
    // Nobody is in a room that does not exist.
    await unless([404], apiWith(turn).ask('POST', path, ejected, { user_ids: people, ban }));
  }

  return {
    name: 'daily',
    joins: settings.hasWebhook ? 'webhook' : 'unknown',
    page: {
      remove,
      mostEjected,
      rates,
      recorder: settings.records ? dailyRecorder(apiWith) : null,
    },
    mediaServer: null,
    admit,
  };
}

/**
 * Without it, Daily refuses to record. It also lets a participant start a recording by a program of their own; such a
 * one is stopped and deleted (recordings/hosted/hosted-events.ts).
 */
const recordingProperties = { enable_recording: 'cloud' };

/**
 * Nothing that costs money or records. Chat, people and screen sharing are Daily's, so ours are not
 * duplicated.
 */
const roomProperties = {
  enable_prejoin_ui: true,
  enable_knocking: true,
  enable_screenshare: true,
  enable_chat: true,
  enable_people_ui: true,
  enable_network_ui: true,
  enable_pip_ui: true,
  enable_hand_raising: true,
  enable_emoji_reactions: true,
  enable_breakout_rooms: false,
};

/** Returns the least rights for this person: this room, this name, a few minutes to join, half a day to stay. */
function tokenFor(visit: Visit, room_name: string) {
  const { participantId, isHost, mustKnock, name, expiresAt } = visit;
  const user_name = name?.slice(0, longestName) || undefined;
  return {
    properties: {
      room_name,
      user_id: participantId,
      ...(user_name ? { user_name } : {}),
      is_owner: isHost,
      nbf: secondsOf(Date.now()) - earlierSeconds,
      exp: secondsOf(expiresAt.getTime()),
      eject_at_token_exp: false,
      eject_after_elapsed: longestStaySeconds,
      enable_recording_ui: false,
      ...(mustKnock ? { knocking: true } : {}),
    },
  };
}

const secondsOf = (ms: number) => Math.floor(ms / 1000);
