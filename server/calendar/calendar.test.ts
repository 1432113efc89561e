import { ICalCalendar } from 'ical-generator';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  makeCalendarFeed,
  readCalendarFeed,
  removeCalendarFeed,
} from '#domain/calendar/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import { removeUser } from '#domain/team/contract.ts';
import { updateSignInPolicy } from '#domain/two-factor/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newMember, newOrganization, runningCall, type Visitor } from '#server/testing/visitor.ts';
import { callsOfFeed } from './store.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com', RATE_LIMIT_SCALE: '1' });
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await newOrganization(app);
});

const make = async (by: Visitor = ada) =>
  (await by.call(makeCalendarFeed)).url.replace('https://calls.example.com', '');
const read = (url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ method: 'GET', url, headers });
async function endedCall(by: Visitor = ada, topic = 'Kick-off') {
  const { call, room } = await runningCall(by);
  await app.owner.query('update rooms set topic = $2 where id = $1', [room.id, topic]);
  const end = { endedAt: new Date().toISOString(), endForEveryone: true };
  const body = { ...end, notesSnapshot: 'A confidential note' };
  await by.call(updateCall, { params: { id: call.id }, body });
  return call;
}
/** One call that has just ended, and so many before it, each this long before the next. */
async function endedCalls(before: number, apart: string) {
  const { id } = await endedCall();
  await app.owner.query(
    `insert into calls (id, org_id, room_id, started_by, started_at, ended_at, duration_sec)
       select gen_random_uuid(), org_id, room_id, started_by, started_at, ended_at - n * $3::interval, 60
       from calls, generate_series(1, $2::integer) n where id = $1`,
    [id, before, apart],
  );
}
const unfolded = (text: string) => text.replaceAll('\r\n ', '');

test('the calendar has the person’s own ended calls with room and times, and no notes', async () => {
  const ben = await newMember(app, ada, 'AGENT');
  const own = await endedCall(ada, 'Kick-off; with, Acme\r\nATTENDEE:x');
  const attended = await endedCall(ben, 'Attended');
  await endedCall(ben, 'Of others');
  await app.owner.query(
    `insert into attendances (id, org_id, call_id, kind, account_id, name)
       values (gen_random_uuid(), $1, $2, 'staff', $3, 'Ada')`,
    [ada.user.orgId, attended.id, ada.user.id],
  );
  await runningCall(ada);
  const { statusCode, headers, payload } = await read(await make());
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, no-cache',
  });
  const text = unfolded(payload);
  expect(text.match(/^BEGIN:VEVENT/gm)).toHaveLength(2);
  expect(text).toContain(`UID:${own.id}@rapport\r\n`);
  expect(text).toMatch(/^SUMMARY:Kick-off\\; with\\, Acme ATTENDEE:x\r$/m);
  expect(text).toMatch(/^DTSTART:\d{8}T\d{6}Z\r\nDTEND:\d{8}T\d{6}Z\r$/m);
  expect(text).toContain(`https://calls.example.com/app/calls/${own.id}`);
  expect(text).not.toMatch(/confidential|Of others|^ATTENDEE/m);
});

test('an unchanged calendar is answered 304, and a new call changes it', async () => {
  const url = await make();
  await endedCall();
  const { etag } = (await read(url)).headers;
  expect((await read(url, { 'if-none-match': String(etag) })).statusCode).toBe(304);
  await endedCall();
  expect((await read(url, { 'if-none-match': String(etag) })).statusCode).toBe(200);
});

test('R19-66: a calendar takes its organization’s turn, and is made for those who do not have it only', async () => {
  const url = await make();
  await endedCall();
  const { etag } = (await read(url)).headers;
  const made = vi.spyOn(ICalCalendar.prototype, 'toString');
  expect((await read(url, { 'if-none-match': String(etag) })).statusCode).toBe(304);
  expect(made).not.toHaveBeenCalled();
  made.mockRestore();

  const waited: unknown[] = [];
  const calls = (token: string) =>
    callsOfFeed(app.services.database, token, (...of) => ({
      wait: async () => void waited.push(of),
      mustWait: () => false,
      worked: () => undefined,
    }));
  const token = url.replace('/calendar/', '').replace('.ics', '');
  // What is not a calendar's address costs the organization nothing.
  expect(await calls(`${token.slice(0, -4)}AAAA`)).toBeNull();
  expect(waited).toEqual([]);
  expect((await calls(token))?.calls).toHaveLength(1);
  expect(waited).toEqual([[ada.user.orgId, ada.user.id]]);
});

test('at most 500 calls of a year are listed, newest first', async () => {
  await endedCalls(600, '1 day');
  const events = async () => (await read(await make())).payload.match(/^BEGIN:VEVENT/gm)?.length;
  expect(await events()).toBe(365);
  await app.owner.query(`update calls set ended_at = now() where org_id = $1`, [ada.user.orgId]);
  expect(await events()).toBe(500);
});

test('renewing, ending, and leaving each end the address immediately; only a hash is stored', async () => {
  const first = await make();
  const second = await make();
  expect((await read(first)).statusCode).toBe(404);
  expect((await read(second)).statusCode).toBe(200);
  const { rows } = await app.owner.query('select * from calendar_feeds');
  const token = second.split('/').at(-1)?.replace('.ics', '') ?? '';
  expect(JSON.stringify(rows)).not.toContain(token);
  await ada.call(removeCalendarFeed);
  expect((await read(second)).statusCode).toBe(404);
  expect(await ada.call(readCalendarFeed)).toEqual({ createdAt: null });

  const ben = await newMember(app, ada, 'AGENT');
  const his = await make(ben);
  expect((await read(his)).statusCode).toBe(200);
  await ada.call(removeUser, { params: { id: ben.user.id } });
  expect((await read(his)).statusCode).toBe(404);
});

test('R24-A1: an address of a session without the factor that came to be required is refused', async () => {
  const ben = await newMember(app, ada, 'AGENT');
  await app.owner.query('update sessions set two_factors = true where account_id = $1', [
    ada.user.id,
  ]);
  const hers = await make(ada);
  const his = await make(ben);
  expect((await read(hers)).statusCode).toBe(200);
  expect((await read(his)).statusCode).toBe(200);
  await app.owner.query(
    `insert into totp_factors (account_id, sealed_secret, confirmed_at) values ($1, 'x', now())`,
    [ada.user.id],
  );
  await ada.call(updateSignInPolicy, { body: { twoFactorRequired: true } });
  expect((await read(his)).statusCode).toBe(404);
  expect((await read(hers)).statusCode).toBe(200);
  // A factor that was removed counts no more.
  await app.owner.query('delete from totp_factors where account_id = $1', [ada.user.id]);
  expect((await read(hers)).statusCode).toBe(404);
});

test('R32-C7: a long calendar is made in parts, which are one text', async () => {
  await endedCalls(60, '1 hour');
  const made = vi.spyOn(ICalCalendar.prototype, 'toString');
  const { payload } = await read(await make());
  expect(made).toHaveBeenCalledTimes(3);
  made.mockRestore();
  const lines = payload.split('\r\n');
  const ends = ['BEGIN:VCALENDAR', 'END:VCALENDAR', 'PRODID:-//Rapport//Calls//EN'];
  for (const line of ends) expect(lines.filter((one) => one === line)).toHaveLength(1);
  expect([lines[0], lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR']);
  const ids = lines.filter((line) => line.startsWith('UID:'));
  expect([ids.length, new Set(ids).size]).toEqual([61, 61]);
  expect(lines.filter((line) => line === 'END:VEVENT')).toHaveLength(61);
});

test('guesses are refused alike, and their number is limited', async () => {
  const url = await make();
  const wrong = [`/calendar/${'A'.repeat(54)}.ics`, '/calendar/x.ics', url.replace('.ics', '')];
  for (const one of wrong) expect((await read(one)).statusCode).toBe(404);
  const answers = new Set<number>();
  for (let count = 0; count < 130; count += 1) answers.add((await read(wrong[0] ?? '')).statusCode);
  expect([...answers]).toEqual([404, 429]);
});
