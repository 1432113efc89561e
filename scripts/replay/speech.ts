import { readFileSync } from 'node:fs';
import pino from 'pino';
import { WebSocket } from 'ws';
import { orgId, participantId } from '#domain/ids.ts';
import type { LiveClient } from '#server/testing/live-client.ts';
import { SpeechCutter } from '#server/transcripts/cutting/speech-cutter.ts';
import { tinyPackets } from '#server/transcripts/cutting/testing/tiny-packets.ts';
import { eventually, wait } from './eventually.ts';
import { type Finding, hold, prepared } from './finding.ts';
import { worstFor } from './measure.ts';
import type { Person } from './person.ts';
import { bothOn, enterAsHost, open, previewToken, runningRoom, staffToken } from './rooms.ts';
import type { Scene } from './scene.ts';

// The process that cuts the speech of all organizations, and the sockets that feed it.

const samples = new URL('../../server/transcripts/cutting/samples/', import.meta.url);
const twoPhrases = readFileSync(new URL('two-phrases.webm', samples));
const cluster = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);

interface Heard {
  phrases: number;
  ms: number;
  error: string | null | undefined;
}

/** Cuts the sample of an organization while `during` sends what another one has. */
async function cutBeside(cutter: SpeechCutter, during: () => void): Promise<Heard> {
  const began = performance.now();
  const heard: Heard = { phrases: 0, ms: 0, error: undefined };
  const stream = cutter.open(speaker('good', 'one'), {
    onPhrase: () => {
      heard.phrases += 1;
    },
    onEnd: (error) => {
      heard.error = error;
      heard.ms = Math.round(performance.now() - began);
    },
  });
  during();
  for (let at = 0; at < twoPhrases.length; at += 4096)
    stream.write(twoPhrases.subarray(at, at + 4096));
  stream.end();
  await eventually(() => heard.error !== undefined, 60);
  return heard;
}

// Names that the process only compares.
const speaker = (org: string, person: string) => ({
  orgId: orgId.parse(`01890000-0000-7000-8000-0000000000${org === 'good' ? '01' : '02'}`),
  participantId: participantId.parse(
    `01890000-0000-7000-8000-${Buffer.from(person).toString('hex').padStart(12, '0').slice(-12)}`,
  ),
});

const send = (cutter: SpeechCutter, person: string, bytes: Uint8Array) => {
  const stream = cutter.open(speaker('bad', person), {
    onPhrase: () => undefined,
    onEnd: () => undefined,
  });
  for (let at = 0; at < bytes.length; at += 32 * 1024)
    stream.write(bytes.subarray(at, at + 32 * 1024));
  return stream;
};

/** The beginning of a file, up to its first cluster. */
function head(): Buffer {
  const file = Buffer.from(tinyPackets(1));
  return file.subarray(0, file.indexOf(cluster));
}

/** One cluster of blocks of five bytes, each of which is a lace of 256 frames. */
function laces(count: number): Buffer {
  const block = Buffer.of(0xa3, 0x85, 0x81, 0, 0, 0x84, 0xff);
  const content = Buffer.concat([
    Buffer.of(0xe7, 0x84, 0, 0, 0, 0),
    ...Array.from({ length: count }, () => block),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(0x10000000 + content.length);
  return Buffer.concat([head(), cluster, length, content]);
}

/** The description of the tracks, which claims to have so many bytes. */
function claims(bytes: bigint): Buffer {
  const file = head();
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(0x0100000000000000n + bytes);
  const tracks = Buffer.from([0x16, 0x54, 0xae, 0x6b]);
  return Buffer.concat([file.subarray(0, file.indexOf(tracks)), tracks, length, Buffer.alloc(100)]);
}

const attacksOnCutter: [id: string, what: string, attack: (cutter: SpeechCutter) => void][] = [
  ['R19-53 (laced blocks)', '21 KB of laces', (cutter) => void send(cutter, 'x', laces(3_000))],
  [
    'R19-54 (elements that claim to be large)',
    'sixty files of 200 bytes that claim 64 GB',
    (cutter) => {
      for (let n = 0; n < 60; n += 1) send(cutter, `c${n}`, claims(2n ** 36n));
    },
  ],
  [
    'R19-58 (files that begin)',
    'a thousand files of one packet',
    (cutter) => {
      for (let n = 0; n < 1_000; n += 1) send(cutter, `b${n % 50}`, tinyPackets(1)).end();
    },
  ],
];

const cutterFindings = attacksOnCutter.map(
  ([id, what, attack]): Finding => ({
    id,
    when: 'alone',
    async attack() {
      const cutter = new SpeechCutter(pino({ level: 'silent' }));
      try {
        // The first one waits for the process.
        await cutBeside(cutter, () => undefined);
        const quiet = await cutBeside(cutter, () => undefined);
        prepared(quiet.phrases === 2, `the sample has ${quiet.phrases} phrases`);
        const { phrases, ms, error } = await cutBeside(cutter, () => attack(cutter));
        const seen = `beside ${what} another organization's phrases come after ${ms} ms (quiet: ${quiet.ms} ms)`;
        hold(
          phrases === 2,
          `beside ${what} another organization gets ${phrases} phrases: ${error}`,
        );
        hold(ms < quiet.ms + 1_500, seen);
        return seen;
      } finally {
        cutter.close();
      }
    },
  }),
);

/** A call whose transcript runs. */
async function transcribedCall(scene: Scene) {
  const boss = await scene.admin();
  await boss.call('PUT', '/api/capture-settings', { recording: 'ask', transcript: 'ask' });
  const room = await runningRoom(boss);
  const host = await enterAsHost(scene, boss, room.id);
  host.send({ type: 'capture', id: 'transcript', kind: 'transcript', running: true });
  await host.until('saved', ({ id }) => id === 'transcript');
  return { boss, room, host };
}

const yes = {
  type: 'consent' as const,
  asked: ['transcript' as const],
  agreed: ['transcript' as const],
  questionVersion: 1,
  language: 'en' as const,
};

/** Returns the token of a participant who has agreed to the transcript. */
async function agreed(
  scene: Scene,
  person: Person,
  roomId: string,
  { stays = false } = {},
): Promise<string> {
  const token = await staffToken(person, roomId);
  const page = await open(scene, person.address, token, stays ? { media: bothOn } : {});
  await page.until('welcome');
  page.send({ ...yes, id: 'yes' });
  await page.until('saved');
  if (!stays) page.socket.terminate();
  return token;
}

/** Says hello to `/ws/speech`; null if it is not accepted. */
function speech(scene: Scene, person: Person, token: string): Promise<WebSocket | null> {
  const headers = { 'x-forwarded-for': person.address };
  const socket = new WebSocket(`${scene.live}/ws/speech`, { headers });
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', protocol: 1, token })));
  return new Promise((resolve) => {
    socket.once('message', () => resolve(socket));
    socket.on('close', () => resolve(null));
    socket.on('error', () => resolve(null));
  });
}

const manyHellos: Finding = {
  id: 'R19-56 (hellos of speech)',
  when: 'alone',
  async attack(scene) {
    const { boss, room, host } = await transcribedCall(scene);
    const token = await agreed(scene, boss, room.id, { stays: true });
    let accepted = 0;
    const end = Date.now() + 4_000;
    const again = async () => {
      while (Date.now() < end) {
        const socket = await speech(scene, boss, token);
        if (socket) accepted += 1;
        socket?.terminate();
      }
    };
    await Promise.all([again(), again(), again(), again()]);
    host.socket.terminate();
    prepared(accepted > 0, 'no hello was accepted');
    hold(accepted < 120, `${accepted} hellos of one account were accepted in four seconds`);
    return `${accepted} hellos of one account were accepted in four seconds`;
  },
};

const crowdedCaptures: Finding = {
  id: 'R19-57 (a capture that starts and stops)',
  when: 'alone',
  async attack(scene) {
    const corp = await scene.admin();
    const { boss, room, host } = await transcribedCall(scene);
    const people = [boss];
    while (people.length < 5) people.push(await scene.member(boss, 'AGENT'));
    const sockets: (WebSocket | null)[] = [];
    const switching: LiveClient[] = [host];
    for (const person of people) {
      for (let n = 0; n < 40; n += 1)
        sockets.push(await speech(scene, person, await agreed(scene, person, room.id)));
    }
    for (const person of people.slice(1, 3))
      switching.push(await enterAsHost(scene, person, room.id));
    const opened = sockets.filter((socket) => socket !== null).length;
    // Since then, only those speak who are in the call, of whom there are a few.
    prepared(
      opened > 150,
      `only ${opened} sockets of speech of people who have left were accepted`,
    );
    const quiet = await worstFor(corp, () => wait(2_000));
    const { worst } = await worstFor(corp, async () => {
      let sent = 0;
      for (let n = 0; n < 40; n += 1) {
        for (const page of switching) {
          const running = sent % 2 === 0;
          page.send({ type: 'capture', id: `${sent}`, kind: 'recording', running });
          sent += 1;
        }
      }
      await wait(4_000);
    });
    for (const socket of [...sockets, ...switching.map((page) => page.socket)]) socket?.terminate();
    const seen = `while a capture of ${opened} speakers starts and stops, others wait ${worst} ms at most (quiet: ${quiet.worst} ms)`;
    hold(worst < quiet.worst + 1_000, seen);
    return seen;
  },
};

const speakersOutside: Finding = {
  id: 'R19-63 (speech of guests who are not in the call)',
  async attack(scene) {
    const { room, host } = await transcribedCall(scene);
    const guest = scene.visitor();
    const { line, token } = await previewToken(scene, guest, room.link);
    line.send({ ...yes, id: 'outside' });
    await line.settled();
    const socket = await speech(scene, guest, token);
    for (const one of [socket, line.socket, host.socket]) one?.terminate();
    hold(socket === null, 'a guest in the preview, who is in no list, may speak into the call');
    return 'a guest in the preview may not speak';
  },
};

export const speechFindings: Finding[] = [
  ...cutterFindings,
  manyHellos,
  crowdedCaptures,
  speakersOutside,
];
