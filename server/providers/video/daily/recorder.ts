import { Readable } from 'node:stream';
import { z } from 'zod';
import { type ParticipantId, participantId } from '#domain/ids.ts';
import { isSafeAddress } from '#server/providers/safe-address.ts';
import type { HostedFile, HostedRecorder, HostedRecording } from '../hosted-recorder.ts';
import type { RequestTurn } from '../hosted-room.ts';
import { VideoEngineError } from '../port.ts';
import { type DailyApi, unless } from './daily-api.ts';
import { roomNameOf, roomOfName } from './room-name.ts';

const presence = z.object({
  total_count: z.int(),
  data: z.array(z.object({ userId: participantId.nullish().catch(null) })),
});
const recording = z.object({
  id: z.string().min(1),
  room_name: z.string().nullish(),
  start_ts: z.number().nonnegative(),
  status: z.string(),
});
const list = z.object({ data: z.array(recording) });
const link = z.object({ download_link: z.string() });

/** More than fit into a call of Daily's. */
const mostPresent = 200;
const newest = 20;
const linkSeconds = 3600;
/** Of the whole file: three hours at Daily's bitrate for 720p are 4 GB. */
const fetchMs = 30 * 60_000;

/**
 * What a recording looks like, and when Daily ends it on its own: where everyone has been silent and without camera for
 * an hour. Its limit is three hours; the next recording follows then.
 */
const options = { type: 'cloud', width: 1280, height: 720, minIdleTimeOut: 3600 };

/**
 * Daily's cloud recording: one MP4 file (H.264, AAC) with everyone. Sources: Daily's reference pages "Start recording",
 * "Stop recording", "Get room presence", "List recordings", "Get recording info", "Get recording link", and "Delete
 * recording" (OpenAPI 1.1.1), and its guide "Recording".
 */
export function dailyRecorder(apiWith: (turn: RequestTurn) => DailyApi): HostedRecorder {
  return {
    async present(room, turn) {
      const path = `/rooms/${roomNameOf(room)}/presence?limit=${mostPresent}`;
      const answer = await apiWith(turn).ask('GET', path, presence);
      const known: (ParticipantId | null)[] = answer.data.map(({ userId }) => userId ?? null);
      return answer.total_count > known.length ? [...known, null] : known;
    },
    async start(room, instanceId, turn) {
      const path = `/rooms/${roomNameOf(room)}/recordings/start`;
      await apiWith(turn).ask('POST', path, z.unknown(), { ...options, instanceId });
    },
    async stop(room, instanceId, turn) {
      const path = `/rooms/${roomNameOf(room)}/recordings/stop`;
      const body = { instanceId, type: options.type };
      // 400: "no recording is active". 404: nobody has ever been in this room.
      await unless([400, 404], apiWith(turn).ask('POST', path, z.unknown(), body));
    },
    async ofRoom(room, turn) {
      const path = `/recordings?room_name=${roomNameOf(room)}&limit=${newest}`;
      const { data } = await apiWith(turn).ask('GET', path, list);
      return data.map(recordingOf);
    },
    async roomOf(id, turn) {
      const path = `/recordings/${encodeURIComponent(id)}`;
      const found = await unless([404], apiWith(turn).ask('GET', path, recording));
      return found?.room_name ? roomOfName(found.room_name) : null;
    },
    async open(id, turn) {
      const path = `/recordings/${encodeURIComponent(id)}/access-link?valid_for_secs=${linkSeconds}`;
      const { download_link } = await apiWith(turn).ask('GET', path, link);
      return openFile(download_link);
    },
    async delete(id, turn) {
      const path = `/recordings/${encodeURIComponent(id)}`;
      await unless([404], apiWith(turn).ask('DELETE', path, z.unknown()));
    },
  };
}

const recordingOf = ({ id, start_ts, status }: z.infer<typeof recording>): HostedRecording => ({
  id,
  startedAt: new Date(start_ts * 1000),
  isOver: status !== 'in-progress',
});

/** The link is signed, so the key is not sent along. Daily may answer a sentence in place of a link. */
async function openFile(url: string): Promise<HostedFile> {
  if (!URL.canParse(url) || !isSafeAddress(withoutQuery(url)))
    throw new VideoEngineError('Daily gives no link to this recording');
  const answer = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(fetchMs),
  }).catch((cause) => {
    throw new VideoEngineError('Daily’s recording could not be fetched', { cause });
  });
  const sizeBytes = Number(answer.headers.get('content-length'));
  if (!answer.ok || !answer.body || !(sizeBytes > 0)) {
    await answer.body?.cancel();
    throw new VideoEngineError(`Daily’s recording could not be fetched: status ${answer.status}`);
  }
  return { content: Readable.from(answer.body), sizeBytes };
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
