import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { TestApp } from '#server/testing/open-test-app.ts';
import { samlConnection } from '#server/testing/requests.ts';
import { storeConsent } from '#server/testing/stored-consent.ts';
import { wait } from './eventually.ts';
import { type Finding, hold } from './finding.ts';
import { asOwner } from './operator.ts';
import type { Person } from './person.ts';
import type { Scene } from './scene.ts';

const longestWaitSeconds = 15;
/** Just more than the server asks of a long body. */
const bytesPerSecond = 18 * 1024;

/** Sends the head of a request, and then its body as slowly as the server allows. */
function sendSlowly(scene: Scene, head: readonly string[], length: number): Socket {
  const { host, port } = new URL(scene.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  const lines = [...head, `Host: ${host}`, `Content-Length: ${length}`, '', ''];
  socket.write(lines.join('\r\n'));
  const timer = setInterval(() => socket.write(Buffer.alloc(bytesPerSecond, 1)), 1000);
  socket.once('close', () => clearInterval(timer));
  return socket;
}

/** Returns after how many seconds a request was answered; null if it was not. */
async function secondsOf(request: Promise<unknown>): Promise<number | null> {
  const began = performance.now();
  const isAnswered = await Promise.race([
    request.then(() => true),
    wait(longestWaitSeconds * 1000).then(() => false),
  ]);
  return isAnswered ? Math.round((performance.now() - began) / 1000) : null;
}

const slowFiles: Finding = {
  id: 'R19-6',
  async attack(scene) {
    const victim = await scene.admin();
    const people = await Promise.all(Array.from({ length: 17 }, () => scene.register()));
    const sockets = people.map((person) => {
      const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const head = [
        'POST /api/user/picture HTTP/1.1',
        `X-Forwarded-For: ${person.address}`,
        `Cookie: ${cookie}`,
        'Content-Type: multipart/form-data; boundary=slow',
      ];
      return sendSlowly(scene, head, 2_010_000);
    });
    try {
      await wait(3000);
      const id = '0190a000-0000-7000-8000-000000000000';
      const body = samlConnection({ metadata: 'x'.repeat(200_000) });
      const seconds = await secondsOf(victim.send('PUT', `/api/sso/connections/${id}`, body));
      hold(
        seconds !== null,
        `17 slow pictures keep 200 KB of another organization from being read`,
      );
      return `beside 17 slow pictures, 200 KB of another organization were answered after ${seconds} s`;
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  },
};

interface Segment {
  segmentId: string;
  uploadToken: string;
}

/** Begins segments of participants of a call, who have agreed: one account on several pages. */
async function recordedSegments(scene: Scene, admin: Person, count: number): Promise<Segment[]> {
  const { orgId, id: account } = admin.user;
  const room = await admin.call('POST', '/api/rooms', { topic: 'Recorded' });
  const { id: callId } = await admin.call('POST', '/api/calls', { roomId: room.id });
  const tokens: string[] = [];
  await asOwner(scene, async (owner: TestApp['owner']) => {
    await owner.query(
      `insert into captures (id, org_id, call_id, kind, started_at)
       values (gen_random_uuid(), $1, $2, 'recording', now())`,
      [orgId, callId],
    );
    for (let page = 0; page < count; page += 1) {
      const { meetingToken } = await admin.call('GET', `/api/rooms/${room.id}`);
      tokens.push(meetingToken);
      const [, claims = ''] = meetingToken.split('.');
      const { participantId } = JSON.parse(Buffer.from(claims, 'base64url').toString());
      await owner.query(
        `insert into attendances (id, org_id, call_id, kind, account_id, name, joined_at)
         values ($1, $2, $3, 'staff', $4, 'A page', now())`,
        [participantId, orgId, callId, account],
      );
      const answer = { asked: ['recording'], agreed: ['recording'] } as const;
      await storeConsent({ owner }, { callId, participantId, kind: 'staff', ...answer });
    }
  });
  const about = { source: 'camera', mimeType: 'video/webm', hasVideo: true };
  return Promise.all(
    tokens.map((token) => admin.call('POST', '/api/recordings/segments', { token, ...about })),
  );
}

const slowParts: Finding = {
  id: 'R19-7',
  async attack(scene) {
    const victim = await scene.admin();
    const [own] = await recordedSegments(scene, victim, 1);
    const segments = await recordedSegments(scene, await scene.admin(), 4);
    const partOf = ({ segmentId }: Segment, number: number) =>
      `/api/recordings/segments/${segmentId}/parts/${number}`;
    const sockets = segments.flatMap((segment) =>
      [0, 1, 2].map((number) => {
        const head = [
          `PUT ${partOf(segment, number)} HTTP/1.1`,
          `Authorization: Bearer ${segment.uploadToken}`,
          'Content-Type: application/octet-stream',
        ];
        return sendSlowly(scene, head, 4 * 1024 * 1024);
      }),
    );
    try {
      await wait(3000);
      const raw = Buffer.alloc(300_000, 7);
      const headers = {
        'content-type': 'application/octet-stream',
        authorization: `Bearer ${own?.uploadToken}`,
        'content-digest': `sha-256=:${createHash('sha256').update(raw).digest('base64')}:`,
      };
      const path = own ? partOf(own, 0) : '';
      const seconds = await secondsOf(victim.send('PUT', path, undefined, { raw, headers }));
      hold(seconds !== null, 'twelve slow parts of one organization keep those of others away');
      return `beside twelve slow parts of one organization, another's was stored after ${seconds} s`;
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  },
};

const completions: Finding = {
  id: 'R21-52 (completing a segment again and again)',
  async attack(scene) {
    const admin = await scene.admin();
    const [own] = await recordedSegments(scene, admin, 1);
    const path = `/api/recordings/segments/${own?.segmentId}/complete`;
    const body = { uploadToken: own?.uploadToken, partCount: 0 };
    let done = 0;
    while (done < 100 && (await admin.send('POST', path, body)).status === 204) done += 1;
    const seen = `a participant completes a segment ${done} times`;
    hold(done < 100, `${seen} within a minute, and nothing refuses it`);
    return `${seen}, then waits for the rest of the minute`;
  },
};

/** Of the nineteenth review: bodies that arrive as slowly as they may; and of the twenty-first. */
export const uploadFindings: Finding[] = [slowFiles, slowParts, completions];
