import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeCodes } from '#domain/calls/close-codes.ts';
import { listCalls, readCall, updateCall } from '#domain/calls/contract.ts';
import type { ParticipantId } from '#domain/ids.ts';
import { openRoom, readGuestLink } from '#domain/rooms/contract.ts';
import { enter, LiveClient } from '#server/testing/live-client.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, type Visitor } from '#server/testing/visitor.ts';
import { greet } from '#server/testing/waiting-guest.ts';
import { touchAttendances } from './attendance-store.ts';
import { closeDesertedCalls } from './close-deserted-calls.ts';

let app: TestApp;
let url: string;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let started: Awaited<ReturnType<typeof runningCall>>;
beforeAll(async () => {
  app = await openTestApp();
  url = await app.listen();
});
beforeEach(async () => {
  // Ends the calls of earlier tests, which the deserted-call check would end, too.
  await app.owner.query(
    'update calls set ended_at = now(), duration_sec = 0 where ended_at is null',
  );
  ada = await newOrganization(app);
  started = await runningCall(ada);
});
afterAll(() => app.close());

const put = (visitor: Visitor, body: object) =>
  visitor.call(updateCall, { params: { id: started.call.id }, body });
const leave = (visitor: Visitor, more: object = {}) =>
  put(visitor, { endedAt: new Date().toISOString(), ...more });
const read = () => ada.call(readCall, { params: { id: started.call.id } });
const pageOf = async (visitor: Visitor) => {
  const { meetingToken } = await visitor.call(openRoom, { params: { id: started.room.id } });
  return enter(url, meetingToken);
};
const attendances = async () =>
  (
    await app.owner.query<{ id: string; name: string; left_at: Date | null; last_seen_at: Date }>(
      'select * from attendances where call_id = $1 order by joined_at',
      [started.call.id],
    )
  ).rows;
const attended = (count: number) =>
  expect.poll(async () => (await attendances()).filter((row) => !row.left_at).length).toBe(count);
/** Sets the time at which all participants were last seen to this many seconds ago. */
const seenAgo = async (seconds: number) => {
  const at = new Date(Date.now() - seconds * 1000);
  await app.owner.query('update calls set last_seen_at = $2, started_at = $3 where id = $1', [
    started.call.id,
    at,
    new Date(at.getTime() - 60_000),
  ]);
  await app.owner.query('update attendances set last_seen_at = $2 where call_id = $1', [
    started.call.id,
    at,
  ]);
  return at;
};
const longUp = new Date(Date.now() - 3_600_000);

describe('leaving', () => {
  test('while a colleague is connected ends only that person’s attendance', async () => {
    const ben = await newMember(app, ada, 'AGENT');
    const [hers, his] = [await pageOf(ada), await pageOf(ben)];
    await attended(2);
    expect(await leave(ada)).toMatchObject({ endedAt: null, durationSec: null });
    expect(await hers.closed).toBe(closeCodes.callEnded);
    await attended(1);
    await his.settled();
    expect(his.all('call-ended')).toEqual([]);
    expect((await his.until('left')).participantId).toBe(hers.id);
    const ended = await leave(ben);
    expect(ended.endedAt).not.toBeNull();
    expect(await his.closed).toBe(closeCodes.callEnded);
    await attended(0);
  });

  test('as the last of the staff ends the call, even if a guest or a viewer remains', async () => {
    const viewer = await newMember(app, ada, 'VIEWER');
    await Promise.all([pageOf(ada), pageOf(viewer)]);
    await attended(2);
    expect((await leave(ada)).endedAt).not.toBeNull();
  });

  test('with “End for everyone” ends the call immediately', async () => {
    const ben = await newMember(app, ada, 'AGENT');
    const his = await pageOf(ben);
    await attended(1);
    expect((await leave(ada, { endForEveryone: true })).endedAt).not.toBeNull();
    expect(await his.closed).toBe(closeCodes.callEnded);
  });

  test('ends the call when the only colleague was not seen for a minute', async () => {
    await pageOf(await newMember(app, ada, 'AGENT'));
    await attended(1);
    const leaveSilent = async () => {
      await seenAgo(61);
      return (await leave(ada)).endedAt;
    };
    await expect.poll(leaveSilent).not.toBeNull();
  });

  test('by two at the same moment ends the call once', async () => {
    const ben = await newMember(app, ada, 'AGENT');
    await Promise.all([pageOf(ada), pageOf(ben)]);
    await attended(2);
    await Promise.all([leave(ada), leave(ben)]);
    expect((await read()).endedAt).not.toBeNull();
    const { rows } = await app.owner.query(
      `select count(*)::int as n from audit_events where entity_id = $1 and action = 'CALL_ENDED'`,
      [started.call.id],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });
});

describe('an ended call', () => {
  test('keeps its end, whatever a later PUT sends', async () => {
    const ended = await leave(ada, { durationSec: 0 });
    const again = await leave(ada, { durationSec: 30, endForEveryone: true });
    expect(again).toEqual(ended);
  });

  test('still accepts notes and scores', async () => {
    await leave(ada);
    expect(await put(ada, { notesSnapshot: 'afterwards', npsScore: 8 })).toMatchObject({
      notesSnapshot: 'afterwards',
      npsScore: 8,
    });
  });

  test('is followed by a new call on the next POST', async () => {
    await leave(ada);
    const next = await ada.send('POST', '/api/calls', { roomId: started.room.id });
    expect(next.status).toBe(201);
    expect((next.body as { id: string }).id).not.toBe(started.call.id);
    expect((await ada.call(listCalls)).map((call) => call.endedAt === null)).toEqual([true, false]);
  });
});

/** Closes the call with its last participant seen this long ago. The app's own clock may mark them just then. */
async function closeSeenAgo(seconds: number): Promise<Date> {
  let seenAt = new Date();
  const close = async () => {
    seenAt = await seenAgo(seconds);
    return closeDesertedCalls(app.services, new Date(), longUp);
  };
  await expect.poll(close).toBe(1);
  return seenAt;
}

describe('a call that all left without a leave message', () => {
  test('is ended two minutes after the last participant was seen, with that time as its end', async () => {
    await pageOf(ada);
    await attended(1);
    const seenAt = await closeSeenAgo(121);
    const call = await read();
    expect(call).toMatchObject({ endedAt: seenAt.toISOString(), durationSec: 60 });
    expect((await attendances())[0]?.left_at).toEqual(seenAt);
    const { rows } = await app.owner.query(
      `select actor_kind, actor_id from audit_events where entity_id = $1 and action = 'CALL_ENDED'`,
      [started.call.id],
    );
    expect(rows).toEqual([{ actor_kind: 'system', actor_id: 'close-deserted-calls' }]);
  });

  test('is reported as ended to those still connected to the room', async () => {
    const panel = await pageOf(ada);
    await attended(1);
    await closeSeenAgo(121);
    expect(await panel.until('call-ended')).toMatchObject({ callId: started.call.id });
  });

  test.each([30, 60, 119])('is not ended after %i seconds', async (seconds) => {
    await pageOf(ada);
    await attended(1);
    await seenAgo(seconds);
    expect(await closeDesertedCalls(app.services, new Date(), longUp)).toBe(0);
    expect((await read()).endedAt).toBeNull();
  });

  test('and a minute without network ends neither the call nor the attendance', async () => {
    const ben = await newMember(app, ada, 'AGENT');
    await pageOf(ben);
    const hers = await pageOf(ada);
    await attended(2);
    await seenAgo(61);
    await closeDesertedCalls(app.services, new Date(), longUp);
    const [id] = (await attendances()).map((row) => row.id);
    await hers.drop();
    await enter(url, hers.welcome.token);
    await attended(1);
    expect((await attendances()).map((row) => row.id)).toContain(id);
    expect(await attendances()).toHaveLength(2);
    expect((await read()).participantsJson).toHaveLength(2);
  });

  test('is not ended early after a restart, which resets the clock', async () => {
    await seenAgo(3600);
    const now = new Date();
    const upSince = (seconds: number) => new Date(now.getTime() - seconds * 1000);
    for (const seconds of [0, 30, 90, 119]) {
      expect(await closeDesertedCalls(app.services, now, upSince(seconds))).toBe(0);
    }
    expect(await closeDesertedCalls(app.services, now, upSince(121))).toBe(1);
  });

  test('is kept open by a request as by a socket', async () => {
    await seenAgo(121);
    await put(ada, { notesSnapshot: 'still here' });
    expect(await closeDesertedCalls(app.services, new Date(), longUp)).toBe(0);
  });

  test('D2: a call whose row is locked does not keep those of other calls from being seen', async () => {
    await pageOf(ada);
    await attended(1);
    const ben = await newOrganization(app);
    const other = await runningCall(ben);
    const token = (await ben.call(openRoom, { params: { id: other.room.id } })).meetingToken;
    await enter(url, token);
    const present = async () =>
      (
        await app.owner.query<{ id: ParticipantId }>(
          'select id from attendances where call_id = any ($1)',
          [[started.call.id, other.call.id]],
        )
      ).rows.map(({ id }) => id);
    await expect.poll(async () => (await present()).length).toBe(2);
    const ids = await present();
    await app.owner.query("update calls set last_seen_at = now() - interval '2 minutes'");
    await app.owner.query('begin');
    await app.owner.query('select 1 from calls where id = $1 for update', [started.call.id]);
    await touchAttendances(app.services.database, ids);
    await app.owner.query('commit');
    const seen = await app.owner.query(
      "select id from calls where ended_at is null and last_seen_at > now() - interval '1 minute'",
    );
    expect(seen.rows).toEqual([{ id: other.call.id }]);
  });

  test('is ended once by concurrent servers', async () => {
    await seenAgo(200);
    const closed = await Promise.all(
      [1, 2, 3].map(() => closeDesertedCalls(app.services, new Date(), longUp)),
    );
    expect(closed.reduce((sum, n) => sum + n)).toBe(1);
  });
});

describe('attendance', () => {
  test('lists each person once, in the order of joining, guests by the name they gave', async () => {
    const ben = await newMember(app, ada, 'AGENT');
    await pageOf(ada);
    await attended(1);
    await pageOf(ben);
    await attended(2);
    await pageOf(ada);
    await attended(3);
    const name = ({ user }: typeof ada) => `${user.firstName} ${user.lastName}`;
    expect((await read()).participantsJson).toEqual([
      { name: name(ada), avatar: null },
      { name: name(ben), avatar: null },
    ]);
  });

  test('of an ended call is not continued by a page that stays open', async () => {
    const panel = await pageOf(ada);
    await attended(1);
    await leave(ada);
    await touchAttendances(app.services.database, [panel.id as never]);
    await attended(0);
  });

  test('of a guest lasts from joining, not from the preview, until leaving', async () => {
    const link = await ada.call(readGuestLink, { params: { id: started.room.id } });
    const invitation = await ada.send('GET', `/api/join/${link.url.split('/').at(-1)}`);
    const { meetingToken } = invitation.body as { meetingToken: string };
    const guest = await LiveClient.open(url);
    guest.send({ type: 'hello', protocol: 1, channel: 'meeting', token: meetingToken });
    await guest.until('waiting');
    await guest.settled();
    expect(await attendances()).toEqual([]);
    greet(guest, meetingToken, 'Cleo');
    await attended(1);
    expect((await read()).participantsJson).toEqual([{ name: 'Cleo', avatar: null }]);
    guest.send({ type: 'leave' });
    await attended(0);
  });
});

test('marking participants as seen and ending a call never deadlock', async () => {
  const panel = await pageOf(ada);
  await attended(1);
  await app.owner.query('begin');
  await app.owner.query('select 1 from calls where id = $1 for update', [started.call.id]);
  await touchAttendances(app.services.database, [panel.id as never]);
  await app.owner.query('update attendances set left_at = now() where call_id = $1', [
    started.call.id,
  ]);
  await app.owner.query('commit');
});
