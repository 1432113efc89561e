import type { EgressInfo } from 'livekit-server-sdk';
import { participantId } from '#domain/ids.ts';
import type { RecordedSource } from '#domain/recordings/contract.ts';
import type { LiveKitNodes, LiveKitSdk } from './livekit-nodes.ts';
import { nameOf } from './livekit-room-name.ts';
import { VideoEngineError } from './port.ts';
import type { EgressReport, PublishedTrack, TrackRecorder, WrittenFile } from './track-recorder.ts';

/** Where LiveKit's Egress writes: into our bucket, or into a folder that it and we have in common. */
export type EgressOutput =
  | {
      kind: 's3';
      bucket: string;
      endpoint: string | undefined;
      region: string;
      keyId: string;
      secretKey: string;
    }
  | { kind: 'folder'; path: string };

/** LiveKit's Track Egress. */
export function trackRecorder(nodes: LiveKitNodes, output: EgressOutput): TrackRecorder {
  return {
    async tracks(room) {
      const name = nameOf(room);
      const list = async () =>
        nodes.ask(async (url) => (await nodes.rooms(url)).listParticipants(name));
      const people = await noneIfMissing(nodes, list);
      const { TrackSource } = await nodes.sdk;
      const sources = sourcesOf(TrackSource);
      return people.flatMap(({ identity, tracks }): PublishedTrack[] => {
        const person = participantId.safeParse(identity);
        if (!person.success) return [];
        return tracks.flatMap(({ sid, source }) => {
          const known = sources.get(source);
          return known ? [{ name: sid, participantId: person.data, source: known }] : [];
        });
      });
    },

    async start(room, track, key) {
      const client = await nodes.egressOnce();
      const file = await fileOutput(nodes, output, key);
      try {
        return (await client.startTrackEgress(nameOf(room), file, track)).egressId;
      } catch (error) {
        throw failed(error);
      }
    },

    async stop(name) {
      try {
        await nodes.ask(async (url) => (await nodes.egress(url)).stopEgress(name));
      } catch (error) {
        if (!(await isGone(nodes, error))) throw failed(error);
      }
    },

    async reports(of) {
      const which = 'room' in of ? { roomName: nameOf(of.room) } : { egressId: of.name };
      const list = async () =>
        nodes.ask(async (url) => (await nodes.egress(url)).listEgress(which));
      const found = await noneIfMissing(nodes, list);
      return found.flatMap((info) => reportOf(info, output) ?? []);
    },
  };
}

const sourcesOf = ({
  CAMERA,
  MICROPHONE,
  SCREEN_SHARE,
  SCREEN_SHARE_AUDIO,
}: LiveKitSdk['TrackSource']) =>
  new Map<number, RecordedSource>([
    [CAMERA, 'camera'],
    [MICROPHONE, 'microphone'],
    [SCREEN_SHARE, 'screen'],
    [SCREEN_SHARE_AUDIO, 'screen-sound'],
  ]);

/** A room that LiveKit has closed has neither participants nor recordings. */
async function noneIfMissing<T>(nodes: LiveKitNodes, list: () => Promise<T[]>): Promise<T[]> {
  try {
    return await list();
  } catch (error) {
    if (await isGone(nodes, error)) return [];
    throw failed(error);
  }
}

/** Of HTTP: there is no such thing, or it has ended already. */
const goneStatuses = [404, 412];
const isGone = async ({ sdk }: LiveKitNodes, error: unknown) =>
  error instanceof (await sdk).TwirpError && goneStatuses.includes(error.status);

function failed(error: unknown): VideoEngineError {
  if (error instanceof VideoEngineError) return error;
  const reason = error instanceof Error ? error.message.slice(0, 200) : '';
  return new VideoEngineError(`LiveKit did not do it: ${reason}`, { cause: error });
}

async function fileOutput({ sdk }: LiveKitNodes, output: EgressOutput, key: string) {
  const { DirectFileOutput, S3Upload } = await sdk;
  if (output.kind === 'folder')
    return new DirectFileOutput({ filepath: `${output.path}/${key}`, disableManifest: true });
  const { bucket, endpoint = '', region, keyId, secretKey } = output;
  const value = new S3Upload({
    accessKey: keyId,
    secret: secretKey,
    region,
    bucket,
    endpoint,
    forcePathStyle: endpoint !== '',
  });
  return new DirectFileOutput({
    filepath: key,
    disableManifest: true,
    output: { case: 's3', value },
  });
}

const mimeTypes: Record<string, WrittenFile['mimeType']> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  ogg: 'audio/ogg',
};

/** livekit.EgressStatus: COMPLETE, FAILED, ABORTED, LIMIT_REACHED. */
const overStatuses = [3, 4, 5, 6];
const complete = 3;

/** Returns what LiveKit says about an egress; null for one that records no single track into our storage. */
export function reportOf(info: EgressInfo, output: EgressOutput): EgressReport | null {
  const { request, egressId, status, error } = info;
  if (request.case !== 'track' || request.value.output.case !== 'file') return null;
  const key = keyOf(request.value.output.value.filepath, output);
  if (key === null || egressId === '') return null;
  const isOver = overStatuses.includes(status);
  const failed = isOver && status !== complete;
  return {
    name: egressId,
    key,
    isOver,
    file: isOver ? fileOf(info, key, output) : null,
    error: failed || error !== '' ? error.slice(0, 300) || 'LiveKit could not record it.' : null,
  };
}

function keyOf(path: string, output: EgressOutput): string | null {
  if (output.kind === 's3') return path;
  const prefix = `${output.path}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : null;
}

/** Egress adds the extension of the track's codec to the name that it was given. */
function fileOf({ fileResults }: EgressInfo, asked: string, output: EgressOutput) {
  const [file] = fileResults;
  const key = file && keyOf(file.filename, output);
  if (!file || !key?.startsWith(`${asked}.`) || file.size <= 0n) return null;
  const mimeType = mimeTypes[key.slice(asked.length + 1)];
  if (!mimeType) return null;
  // In nanoseconds.
  const startedAt = new Date(Number(file.startedAt / 1_000_000n));
  return { key, mimeType, sizeBytes: Number(file.size), startedAt };
}
