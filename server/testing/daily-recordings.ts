import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import * as reference from './daily-reference.ts';
import { checked, invalid, type Reply, type Room, refusal } from './daily-replies.ts';

interface Recording {
  id: string;
  instanceId: string;
  room_name: string;
  start_ts: number;
  status: 'in-progress' | 'finished';
  bytes: Buffer;
}
interface Request {
  body: unknown;
  searchParams: URLSearchParams;
  rooms: ReadonlyMap<string, Room>;
  url: string;
}

/** The part of the stand-in for Daily that records. */
export class DailyRecordings {
  /** The `user_id` of those in a room, by its name. */
  readonly present = new Map<string, (string | null)[]>();
  readonly all: Recording[] = [];
  /** Files that were asked for while `holdFiles` holds them back. */
  heldFiles = 0;
  #released: Promise<void> = Promise.resolve();

  /** Answers no request for a file. @returns a function that ends it */
  holdFiles(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#released = promise;
    return resolve;
  }

  /** Returns those of a room that run. */
  running(room: string): Recording[] {
    return this.all.filter(({ room_name, status }) => room_name === room && status !== 'finished');
  }

  /** A recording is over, and its file can be fetched. @returns the payload of the webhook that says so */
  finish(recording: Recording, bytes: Buffer): object {
    recording.status = 'finished';
    recording.bytes = bytes;
    const { id: recording_id, room_name, start_ts, status } = recording;
    const s3_key = `example/${room_name}/${start_ts}000`;
    return {
      ...{ type: 'cloud', recording_id, room_name, start_ts, status },
      ...{ max_participants: 2, duration: 6, s3_key, share_token: 'x' },
    };
  }

  /** @returns null for a request about something else */
  answer(method: string, path: string, request: Request): Reply | null {
    const [, noun, name = '', verb = '', order = ''] = path.split('/');
    if (noun === 'recordings') return this.#about(method, name, verb, request);
    if (noun !== 'rooms' || !['presence', 'recordings'].includes(verb)) return null;
    const room = request.rooms.get(name);
    if (!room) return refusal(404, 'not-found', `room ${name} does not exist`);
    if (method === 'GET' && verb === 'presence') {
      return checked(reference.queries.presence, queryOf(request), ({ limit }) => {
        const everyone = this.present.get(name) ?? [];
        const data = everyone.slice(0, limit).map((userId) => ({
          ...{ room: name, id: randomUUID(), userId, userName: 'x', duration: 1 },
          joinTime: new Date().toISOString(),
        }));
        return { status: 200, body: { total_count: everyone.length, data } };
      });
    }
    if (method === 'POST' && order === 'start')
      return checked(reference.startRecording, request.body, (given) => this.#start(room, given));
    if (method === 'POST' && order === 'stop')
      return checked(reference.stopRecording, request.body, (given) => this.#stop(name, given));
    return null;
  }

  /** The file of a link. The store behind it takes a signed link or a header, and not both. */
  async serve(path: string, headers: IncomingHttpHeaders, response: ServerResponse): Promise<void> {
    this.heldFiles += 1;
    await this.#released;
    this.heldFiles -= 1;
    const found = this.all.find(({ id }) => path === `/files/${id}`);
    const status = headers.authorization ? 400 : found?.status === 'finished' ? 200 : 404;
    const bytes = status === 200 && found ? found.bytes : Buffer.alloc(0);
    response.writeHead(status, { 'content-type': 'video/mp4', 'content-length': bytes.length });
    response.end(bytes);
  }

  #start(
    { name, config }: Room,
    { instanceId }: ReturnType<typeof reference.startRecording.parse>,
  ): Reply {
    if (!('enable_recording' in config)) return invalid('recording is not enabled');
    if ((this.present.get(name) ?? []).length === 0)
      return invalid(`room ${name} does not seem to be hosting a call currently`);
    if (this.running(name).length > 0) return invalid(`room ${name} has an active stream`);
    this.all.push({
      ...{ id: randomUUID(), instanceId, room_name: name, status: 'in-progress' },
      ...{ start_ts: Math.floor(Date.now() / 1000), bytes: Buffer.alloc(0) },
    });
    return { status: 200, body: { status: 'sent' } };
  }

  #stop(room: string, { instanceId }: { instanceId: string }): Reply {
    const found = this.running(room).find((one) => one.instanceId === instanceId);
    if (!found) return invalid('no recording is active');
    found.status = 'finished';
    return { status: 200, body: { status: 'sent' } };
  }

  #about(method: string, id: string, verb: string, request: Request): Reply {
    if (id === '' || id.startsWith('?')) {
      return checked(reference.queries.recordings, queryOf(request), ({ room_name, limit }) => {
        const data = this.all
          .filter((one) => !room_name || one.room_name === room_name)
          .toReversed()
          .slice(0, limit)
          .map(shown);
        return { status: 200, body: { total_count: this.all.length, data } };
      });
    }
    const at = this.all.findIndex((one) => one.id === id);
    const found = this.all[at];
    if (!found) return refusal(404, 'not-found', `recording ${id} does not exist`);
    if (method === 'DELETE') {
      this.all.splice(at, 1);
      return { status: 200, body: { deleted: true, id } };
    }
    if (verb === '') return { status: 200, body: shown(found) };
    return checked(reference.queries.link, queryOf(request), ({ valid_for_secs = 3600 }) => ({
      status: 200,
      body: {
        download_link: `${request.url}/files/${id}?X-Amz-Signature=x`,
        expires: Math.floor(Date.now() / 1000) + valid_for_secs,
      },
    }));
  }
}

const queryOf = ({ searchParams }: Request) => Object.fromEntries(searchParams);

const shown = ({ instanceId: _instance, bytes: _bytes, ...recording }: Recording) => ({
  ...recording,
  max_participants: 2,
  ...(recording.status === 'finished' && { duration: 6 }),
  tracks: [],
  mtgSessionId: '257764e6-c74e-4c30-944a-a887a03173a3',
});
