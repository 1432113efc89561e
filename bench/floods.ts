import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as open, type RequestOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { largestPart, type Recording } from '#domain/recordings/contract.ts';
import { type ApiUser, prepareRoom } from '../e2e/support/api.ts';
import { discard, type Program, startProgram } from '../e2e/support/program.ts';
import { compared, type Measured } from './report.ts';
import { quantile } from './statistics.ts';
import { writeVideo } from './support/hour-of-video.ts';
import { probeInThread } from './support/probe-thread.ts';
import {
  beginSegments,
  complete,
  recordedGuests,
  type Segment,
  uploadParts,
} from './support/recorded-calls.ts';
import { sessionCookie } from './support/sign-in.ts';

const rounds = 3;
const seconds = 10;
/** Docs, security review: more than three times the control in each of three rounds is a finding of high severity. */
const mostTimes = 3;
const addresses = 10;

/** What an organization may send at most, as often as it is let. It tells of each request as it is sent. */
type Flood = (until: AbortSignal, sent: () => void) => Promise<unknown>;

/**
 * Measures another organization's requests while one sends as many parts of recordings, opens as many files, or begins
 * as many segments as it is let, in rounds that alternate with a small request at each moment at which it sent one.
 */
export async function floods(): Promise<Measured[]> {
  const program = await startProgram({ RATE_LIMIT_SCALE: '1' });
  try {
    const { user } = await prepareRoom(program.url, 'Flood');
    await prepareRoom(program.url, 'Calm');
    const cookies = {
      flood: await sessionCookie(program.url, 'Flood'),
      calm: await sessionCookie(program.url, 'Calm'),
    };
    const all = {
      'parts of 4 MB': await partsFlood(program, user),
      'open files': await filesFlood(program, user),
      'segments that begin': await segmentsFlood(program, user),
    };
    const results: Measured[] = [];
    for (const [name, flood] of Object.entries(all)) {
      results.push(await measure(program, cookies, name, flood));
    }
    return results;
  } finally {
    await discard(program);
  }
}

async function measure(
  { url }: Program,
  cookies: { flood: string; calm: string },
  name: string,
  flood: Flood,
): Promise<Measured> {
  const probe = () =>
    probeInThread({ url: `${url}/api/rooms`, cookie: cookies.calm, pauseMs: 20, seconds });
  const phase = () => AbortSignal.timeout(seconds * 1000);
  const found: { ours: number; peer: number }[] = [];
  const requests: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now();
    const moments: number[] = [];
    const note = () => moments.push(performance.now() - from);
    const [, attacked] = await Promise.all([flood(phase(), note), probe()]);
    await sleep(2_000);
    const [, calm] = await Promise.all([small(url, cookies.flood, moments), probe()]);
    requests.push(moments.length);
    found.push({ ours: quantile(attacked, 0.99), peer: quantile(calm, 0.99) });
    await sleep(1_000);
  }
  const ratios = found.map(({ ours, peer }) => ours / peer);
  const best = found[ratios.indexOf(Math.min(...ratios))] ?? { ours: 0, peer: 0 };
  return compared(`floods: ${name}, p99 of GET /api/rooms, best of ${rounds} rounds`, 'ms', {
    ...best,
    limit: mostTimes,
    note: `${ratios.map((ratio) => ratio.toFixed(1)).join(', ')} times; ${requests.join(', ')} requests`,
  });
}

/** Small requests of the organization at these moments. */
async function small(url: string, cookie: string, moments: readonly number[]): Promise<void> {
  const from = performance.now();
  const options = { headers: { cookie } };
  const never = new AbortController().signal;
  await Promise.all(
    moments.map(async (moment) => {
      await sleep(Math.max(0, moment - (performance.now() - from)));
      await request(`${url}/api/user`, options, never);
    }),
  );
}

/** Forty people send parts of the greatest length, three at a time each, as a page does that catches up. */
async function partsFlood(program: Program, user: ApiUser): Promise<Flood> {
  const segments = await beginSegments(program, user, { calls: 4, people: 10 });
  const bytes = randomBytes(largestPart);
  const digest = `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
  let number = 0;
  const send = async (
    { segmentId, uploadToken }: Segment,
    until: AbortSignal,
    sent: () => void,
  ): Promise<void> => {
    while (!until.aborted) {
      number += 1;
      sent();
      const status = await request(
        `${program.url}/api/recordings/segments/${segmentId}/parts/${number}`,
        {
          method: 'PUT',
          headers: {
            'content-type': 'application/octet-stream',
            'content-length': `${bytes.length}`,
            authorization: `Bearer ${uploadToken}`,
            'content-digest': digest,
          },
        },
        until,
        bytes,
      );
      if (status === 429) await sleep(1_000);
    }
  };
  return (until, sent) =>
    Promise.all([0, 1, 2].flatMap(() => segments.map((one) => send(one, until, sent))));
}

/** Ten addresses open forty files each, and read slowly. */
async function filesFlood(program: Program, user: ApiUser): Promise<Flood> {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-floods-'));
  const file = join(folder, 'video');
  await writeVideo(file, 300);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  const [segment] = await beginSegments(program, user, { calls: 1, people: 1 });
  if (!segment) throw new Error('there is no segment');
  await complete(program.url, segment, await uploadParts(program.url, segment, bytes, 50));
  const url = `${program.url}${await urlOfFile(user, segment.callId)}`;
  const read = async (address: string, until: AbortSignal, sent: () => void): Promise<void> => {
    while (!until.aborted) {
      sent();
      const status = await request(url, { localAddress: address, slowly: true }, until);
      if (status === 429) await sleep(1_000);
    }
  };
  return (until, sent) =>
    Promise.all(
      Array.from({ length: 400 }, (_, n) => read(`127.0.0.${2 + (n % addresses)}`, until, sent)),
    );
}

async function urlOfFile(user: ApiUser, call: string): Promise<string> {
  for (;;) {
    const { people } = await user.send<Recording>('GET', `/api/calls/${call}/recording`);
    const [found] = people.flatMap(({ tracks }) => tracks.flatMap(({ files }) => files));
    if (found?.url) return found.url;
    await sleep(200);
  }
}

/** A thousand people of a large meeting begin to record at the same moment. */
async function segmentsFlood(program: Program, user: ApiUser): Promise<Flood> {
  const guests = await recordedGuests(program, user, { calls: 10, people: 100 });
  const begin = async (token: string, n: number, until: AbortSignal) => {
    const body = Buffer.from(
      JSON.stringify({ token, source: 'camera', mimeType: 'video/webm', hasVideo: true, ageMs: 0 }),
    );
    await request(
      `${program.url}/api/recordings/segments`,
      {
        method: 'POST',
        localAddress: `127.0.0.${2 + (n % addresses)}`,
        headers: { 'content-type': 'application/json', 'content-length': `${body.length}` },
      },
      until,
      body,
    );
  };
  return (until, sent) =>
    Promise.all(
      guests.map(({ token }, n) => {
        sent();
        return begin(token, n, until);
      }),
    );
}

/** @returns the status, once the answer was read; 0 if the request ended without one */
function request(
  url: string,
  { slowly = false, ...options }: RequestOptions & { slowly?: boolean },
  until: AbortSignal,
  body?: Uint8Array,
): Promise<number> {
  return new Promise((resolve) => {
    const sent = open(url, { ...options, signal: until }, (answer) => {
      const status = answer.statusCode ?? 0;
      answer.once('error', () => resolve(status)).once('close', () => resolve(status));
      answer.on('data', () => {
        if (!slowly) return;
        answer.pause();
        setTimeout(() => answer.resume(), 300);
      });
    });
    sent.once('error', () => resolve(0));
    sent.end(body);
  });
}
