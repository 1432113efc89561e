import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { startCall, updateCall } from '#domain/calls/contract.ts';
import { protocolVersion } from '#domain/calls/live-limits.ts';
import { createRoom, openRoom, readGuestLink, renewGuestLink } from '#domain/rooms/contract.ts';
import { mintMeetingToken, readMeetingToken } from '#server/rooms/meeting-token.ts';
import { enter, enterPanel, LiveClient, refusedHello } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, Visitor } from '#server/testing/visitor.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(() => app.close());

/** Returns a new meeting token for the room of the running call. */
const tokenOf = async (visitor: Visitor, id: string = started.room.id) =>
  (await visitor.call(openRoom, { params: { id } })).meetingToken;
const linkToken = async () =>
  (await ada.call(readGuestLink, { params: { id: started.room.id } })).url.split('/').at(-1) ?? '';
async function guestTokenOf(link?: string): Promise<string> {
  const { body } = await new Visitor(app).send('GET', `/api/join/${link ?? (await linkToken())}`);
  return (body as { meetingToken: string }).meetingToken;
}
const endCall = () =>
  ada.call(updateCall, { params: { id: started.call.id }, body: { endForEveryone: true } });

describe('a hello', () => {
  test('with a forged token is refused', async () => {
    const token = await tokenOf(ada);
    const [head, body, signature] = token.split('.');
    const key = Buffer.from('somebody else’s key, of thirty-two bytes');
    const own = await new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(key);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    const forged = ['', 'x', own, unsigned, `${head}.${body}.${signature?.slice(2)}xx`];
    for (const bad of forged) {
      expect(await refusedHello(url, { token: bad })).toBe(closeCodes.tokenRefused);
    }
  });

  test('with an expired token is refused', async () => {
    const claims = await readMeetingToken(app.services.secrets, await tokenOf(ada));
    if (!claims) throw new Error('the fresh token is good');
    const token = await mintMeetingToken(app.services.secrets, claims, -1);
    expect(await refusedHello(url, { token })).toBe(closeCodes.tokenRefused);
  });

  test('with only a session cookie is refused', async () => {
    const client = new LiveClient(url, { cookie: ada.cookie });
    await new Promise((resolve) => client.socket.once('open', resolve));
    client.send({
      type: 'hello',
      protocol: protocolVersion,
      channel: 'meeting',
      token: ada.cookie,
    });
    expect(await client.closed).toBe(closeCodes.tokenRefused);
  });

  test('with a token is admitted only to that token’s room', async () => {
    const eve = await newOrganization(app);
    const eves = await runningCall(eve);
    const claims = await readMeetingToken(app.services.secrets, await tokenOf(ada));
    if (claims?.kind !== 'staff') throw new Error('the fresh token is good');
    const crossed = { ...claims, roomId: eves.room.id };
    const token = await mintMeetingToken(app.services.secrets, crossed);
    expect(await refusedHello(url, { token })).toBe(closeCodes.roomGone);
    const other = await ada.call(createRoom, { body: { topic: 'Elsewhere' } });
    const there = await enter(url, await tokenOf(ada, other.id));
    expect(there.welcome).toMatchObject({
      room: { id: other.id },
      call: null,
      participants: [{ id: there.id }],
    });
  });

  test('a member who was removed is refused', async () => {
    const bea = await newMember(app, ada, 'AGENT');
    const token = await tokenOf(bea);
    await app.owner.query('delete from memberships where account_id = $1', [bea.user.id]);
    expect(await refusedHello(url, { token })).toBe(closeCodes.removed);
  });

  test('to an archived room is refused', async () => {
    const token = await tokenOf(ada);
    await app.owner.query('update rooms set archived_at = now() where id = $1', [started.room.id]);
    expect(await refusedHello(url, { token })).toBe(closeCodes.roomGone);
  });

  test('after the link was renewed is refused, except for those who attended', async () => {
    const link = await linkToken();
    const [inside, waiting] = [await guestTokenOf(link), await guestTokenOf(link)];
    const guest = await enter(url, inside, { name: 'Cleo' });
    await ada.call(renewGuestLink, { params: { id: started.room.id } });
    expect(await refusedHello(url, { token: waiting })).toBe(closeCodes.tokenRefused);
    await guest.drop();
    const back = await enter(url, guest.welcome.token, { name: 'Cleo' });
    expect(back.id).toBe(guest.id);
  });

  test('of another protocol version is told to reload', async () => {
    const token = await tokenOf(ada);
    expect(await refusedHello(url, { token, protocol: 99 })).toBe(closeCodes.protocolTooOld);
  });

  test('attack 27: a page of another site is refused before the upgrade', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const socket = new WebSocket(`${url}/ws`, { headers: { origin } });
      const status = await new Promise((resolve) => {
        socket.once('unexpected-response', (_, response) => resolve(response.statusCode));
        socket.once('open', () => resolve('open'));
      });
      expect(status).toBe(403);
    }
    const own = new WebSocket(`${url}/ws`, { headers: { origin: url.replace('ws', 'http') } });
    await new Promise((resolve) => own.once('open', resolve));
    own.terminate();
  });

  test.each([
    'no JSON',
    '{}',
    '[]',
    'null',
    '{"type":"unknown"}',
    '{"type":"ping"}',
    `{"type":"hello","protocol":1,"channel":"meeting","token":"${'x'.repeat(5000)}"}`,
    `{"type":"hello","protocol":1,"channel":"kitchen","token":"x"}`,
    '['.repeat(10_000),
  ])('a message like %.60s closes the socket with its own code', async (text) => {
    const client = await LiveClient.open(url);
    client.say(text);
    expect(await client.closed).toBe(closeCodes.badMessage);
  });

  test('an invalid message after the hello closes the socket, too', async () => {
    const client = await enter(url, await tokenOf(ada));
    client.say('{"type":"signal","to":7}');
    expect(await client.closed).toBe(closeCodes.badMessage);
  });

  test('no message is accepted before the hello', async () => {
    const client = await LiveClient.open(url);
    client.send({ type: 'leave' });
    expect(await client.closed).toBe(closeCodes.badMessage);
  });
});

describe('the roster', () => {
  test('the welcome has the participant, the running call, and a token for resuming', async () => {
    const { welcome } = await enter(url, await tokenOf(ada));
    expect(welcome).toMatchObject({
      protocol: protocolVersion,
      sequence: 0,
      resumed: false,
      mayEdit: true,
      participants: [{ id: welcome.self, kind: 'staff' }],
      room: { id: started.room.id, topic: 'Kick-off' },
      organization: { brandColor: '#2563eb' },
      call: { id: started.call.id, startedAt: started.call.startedAt },
      iceServers: [],
    });
    const claims = await readMeetingToken(app.services.secrets, welcome.token);
    expect(claims).toMatchObject({ kind: 'staff', participantId: welcome.self });
  });

  test('participants receive each other’s joins, changes and leaves', async () => {
    const staff = await enter(url, await tokenOf(ada));
    // The first person starts the call, which the guest would hear of, too.
    if (!staff.welcome.call?.joined) await staff.until('call-changed');
    const guest = await enter(url, await guestTokenOf(), { name: ' Cleo\n ' });
    expect(guest.welcome.participants).toMatchObject([
      {
        id: staff.id,
        kind: 'staff',
        name: `${ada.user.firstName} ${ada.user.lastName}`,
        inMeeting: true,
      },
      { id: guest.id, name: 'Cleo' },
    ]);
    expect((await staff.until('joined')).participant).toEqual({
      id: guest.id,
      kind: 'guest',
      name: 'Cleo',
      avatar: null,
      media: { audio: true, video: true },
      inMeeting: true,
      connected: true,
    });
    guest.send({ type: 'media', media: { audio: false, video: true } });
    const { participant } = await staff.until('changed');
    expect(participant).toMatchObject({ id: guest.id, media: { audio: false, video: true } });
    guest.send({ type: 'leave' });
    expect((await staff.until('left')).participantId).toBe(guest.id);
    expect(await guest.closed).toBe(1000);
    expect(guest.heard.filter((message) => message.type !== 'welcome')).toEqual([]);
  });

  test('of many who join at the same moment, each receives all the others', async () => {
    const tokens = await Promise.all(Array.from({ length: 12 }, () => tokenOf(ada)));
    const panels = await Promise.all(tokens.map((token) => enterPanel(url, token)));
    for (const panel of panels) {
      await panel.settled();
      const known = new Set([
        ...panel.welcome.participants.map((participant) => participant.id),
        ...panel.all('joined').map(({ participant }) => participant.id),
      ]);
      expect(known).toEqual(new Set(panels.map(({ id }) => id)));
    }
    for (const panel of panels) await panel.drop();
  });

  test('page and panel of one person are one participant, who stays while either is open', async () => {
    const other = await enterPanel(url, await tokenOf(ada));
    const token = await tokenOf(ada);
    const page = await enter(url, token);
    const panel = await enterPanel(url, token);
    expect(panel.id).toBe(page.id);
    page.send({ type: 'leave' });
    const changed = await other.until('changed', ({ participant }) => !participant.inMeeting);
    expect(changed.participant).toMatchObject({ id: page.id, connected: true });
    panel.send({ type: 'leave' });
    await other.until('left');
    expect(other.all('joined')).toHaveLength(1);
  });

  test('a meeting page that the browser leaves is gone immediately, without a leave message', async () => {
    const staff = await enter(url, await tokenOf(ada));
    const guest = await enter(url, await guestTokenOf(), { name: 'Cleo' });
    guest.socket.close(1001);
    await staff.until('left', ({ participantId }) => participantId === guest.id);
  });

  test('a person in the preview is not in the meeting until they join', async () => {
    const staff = await enter(url, await tokenOf(ada));
    const guest = await LiveClient.open(url);
    const token = await guestTokenOf();
    guest.send({ type: 'hello', protocol: protocolVersion, channel: 'meeting', token });
    await guest.until('waiting', ({ hostIsHere }) => hostIsHere);
    expect((await staff.settled()).all('joined')).toEqual([]);
    const media = { audio: true, video: false };
    guest.send({
      ...{ type: 'hello', protocol: protocolVersion, channel: 'meeting', token },
      ...{ name: 'Cleo', media },
    });
    const { participant } = await staff.until('joined');
    expect(participant).toMatchObject({ name: 'Cleo', inMeeting: true, media: { video: false } });
  });

  test('staff cannot use another name', async () => {
    const staff = await enter(url, await tokenOf(ada));
    await enter(url, await tokenOf(ada), { name: 'The Boss' });
    expect((await staff.until('joined')).participant.name).toBe(
      `${ada.user.firstName} ${ada.user.lastName}`,
    );
  });

  test('a fifth person is told that the room is full, on hello and from the preview', async () => {
    const four = [];
    for (let n = 0; n < 4; n += 1) four.push(await enter(url, await guestTokenOf()));
    const media = { audio: true, video: true };
    expect(await refusedHello(url, { token: await guestTokenOf(), media })).toBe(
      closeCodes.roomFull,
    );
    const preview = await LiveClient.open(url);
    const token = await guestTokenOf();
    preview.send({ type: 'hello', protocol: protocolVersion, channel: 'meeting', token });
    await preview.until('waiting');
    preview.send({ type: 'join', media });
    await preview.until('let-in');
    preview.send({ type: 'hello', protocol: protocolVersion, channel: 'meeting', token, media });
    expect(await preview.closed).toBe(closeCodes.roomFull);
    const [first, second] = four;
    await first?.settled();
    expect(first?.all('joined').filter(({ participant }) => participant.inMeeting)).toHaveLength(3);
    second?.send({ type: 'leave' });
    await first?.until('left', ({ participantId }) => participantId === second?.id);
    await enter(url, await guestTokenOf());
  });

  test('of six who join at the same moment, four are admitted', async () => {
    const media = { audio: true, video: true };
    const tokens = await Promise.all(Array.from({ length: 6 }, () => guestTokenOf()));
    const outcomes = await Promise.all(
      tokens.map(async (token) => {
        const client = await LiveClient.open(url);
        client.send({ type: 'hello', protocol: protocolVersion, channel: 'meeting', token, media });
        return Promise.race([client.closed, client.until('welcome').then(() => 'in')]);
      }),
    );
    const full = closeCodes.roomFull;
    expect(outcomes.sort()).toEqual([full, full, 'in', 'in', 'in', 'in']);
  });
});

describe('signals', () => {
  test('are delivered to their addressee in the same room, and to no one else', async () => {
    const [a, b, c] = [
      await enter(url, await tokenOf(ada)),
      await enter(url, await guestTokenOf()),
      await enter(url, await guestTokenOf()),
    ];
    const other = await ada.call(createRoom, { body: { topic: 'Elsewhere' } });
    const outside = await enter(url, await tokenOf(ada, other.id));
    const panel = await enterPanel(url, a.welcome.token);
    const signal = { connection: 'x', description: { type: 'offer' as const, sdp: 'v=0' } };
    a.send({ type: 'signal', to: b.id, signal });
    outside.send({ type: 'signal', to: b.id, signal: { candidate: null } });
    expect(await b.until('signal')).toMatchObject({ from: a.id, signal });
    for (const client of [a, b, c, outside, panel]) await client.settled();
    expect(b.all('signal')).toHaveLength(1);
    for (const client of [a, c, outside, panel]) expect(client.all('signal')).toEqual([]);
  });
});

describe('resuming', () => {
  test('delivers exactly the missed messages, in order', async () => {
    const staff = await enter(url, await tokenOf(ada));
    const guest = await enter(url, await guestTokenOf());
    const signal = (n: number) => ({ connection: `${n}` });
    guest.send({ type: 'signal', to: staff.id, signal: signal(1) });
    const { sequence } = await staff.until('signal');
    await staff.drop();
    await guest.until('changed', ({ participant }) => !participant.connected);
    for (const n of [2, 3, 4]) guest.send({ type: 'signal', to: staff.id, signal: signal(n) });
    await guest.settled();
    const { session, token } = staff.welcome;
    const back = await enter(url, token, { resume: { session, sequence } });
    expect(back.welcome).toMatchObject({ resumed: true, sequence, session, self: staff.id });
    await back.settled();
    const missed = back.heard.filter(
      (message) => 'sequence' in message && message.type !== 'welcome',
    );
    expect(missed).toMatchObject(
      [2, 3, 4].map((n, index) => ({
        type: 'signal',
        signal: signal(n),
        sequence: sequence + 1 + index,
      })),
    );
    await guest.until('changed', ({ participant }) => participant.connected);
    expect(guest.all('restarted')).toEqual([]);
    expect(guest.all('left')).toEqual([]);
  });

  test('does not repeat acknowledged messages', async () => {
    const staff = await enter(url, await tokenOf(ada));
    const guest = await enter(url, await guestTokenOf());
    for (const n of [1, 2])
      guest.send({ type: 'signal', to: staff.id, signal: { connection: `${n}` } });
    const last = await staff.until('signal', ({ signal }) => signal.connection === '2');
    staff.send({ type: 'ping', sequence: last.sequence });
    await staff.until('pong');
    await staff.drop();
    const { session, token } = staff.welcome;
    const early = await enter(url, token, { resume: { session, sequence: last.sequence - 1 } });
    expect(early.welcome.resumed).toBe(false);
  });

  test('an unknown session, or one that missed too much, is replaced by a new one', async () => {
    const staff = await enter(url, await tokenOf(ada));
    const guest = await enter(url, await guestTokenOf());
    await guest.drop();
    await staff.until('changed', ({ participant }) => !participant.connected);
    const session = '01900000-0000-7000-8000-000000000000';
    const back = await enter(url, guest.welcome.token, { resume: { session, sequence: 3 } });
    expect(back.welcome).toMatchObject({ resumed: false, sequence: 0, self: guest.id });
    expect(back.welcome.participants).toMatchObject([{ id: staff.id }, { id: guest.id }]);
    expect((await staff.until('restarted')).participantId).toBe(guest.id);
  });

  test('a second page with the same token replaces the first', async () => {
    const token = await tokenOf(ada);
    const first = await enter(url, token);
    const second = await enter(url, token);
    expect(await first.closed).toBe(closeCodes.replaced);
    expect(second.id).toBe(first.id);
    await second.settled();
  });
});

describe('the call', () => {
  test('its start is sent to waiting participants, and the panel gets checklist and notes', async () => {
    await endCall();
    const token = await tokenOf(ada);
    const [page, panel] = [await enter(url, token), await enterPanel(url, token)];
    expect(page.welcome.call).toBeNull();
    const call = await ada.call(startCall, { body: { roomId: started.room.id } });
    expect((await page.until('call-started')).call).toEqual({
      id: call.id,
      startedAt: call.startedAt,
      joined: false,
    });
    expect(await panel.until('checklist')).toMatchObject({
      callId: call.id,
      items: call.checklistItems.map(({ id }) => ({ itemId: id, checked: false })),
    });
    expect(await panel.until('note')).toMatchObject({
      callId: call.id,
      vector: expect.any(String),
    });
    await page.settled();
    expect(page.all('checklist')).toEqual([]);
  });

  test('started while panels join is known to each panel, which may edit it', async () => {
    await endCall();
    for (let round = 0; round < 5; round += 1) {
      const token = await tokenOf(ada);
      const opening = [enterPanel(url, token), enterPanel(url, await tokenOf(ada))];
      const call = await ada.call(startCall, { body: { roomId: started.room.id } });
      for (const panel of await Promise.all(opening)) {
        const knows = panel.welcome.call ?? (await panel.until('call-started')).call;
        expect(knows.id).toBe(call.id);
        const [item] = call.checklistItems;
        panel.send({ type: 'check', id: 'e', itemId: `${item?.id}`, checked: true });
        await panel.until('saved');
      }
      await ada.call(updateCall, { params: { id: call.id }, body: { endForEveryone: true } });
      for (const panel of await Promise.all(opening)) {
        expect(await panel.closed).toBe(closeCodes.callEnded);
      }
    }
  });

  test('its end is sent to all participants, and their sockets are closed', async () => {
    const staff = await enter(url, await tokenOf(ada));
    const guest = await enter(url, await guestTokenOf());
    await endCall();
    for (const client of [staff, guest]) {
      expect(await client.until('call-ended')).toMatchObject({
        callId: started.call.id,
        endedAt: expect.any(String),
      });
      expect(await client.closed).toBe(closeCodes.callEnded);
    }
  });
});
