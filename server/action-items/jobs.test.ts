import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { listActionItems } from '#domain/action-items/contract.ts';
import { generateActionItems } from '#domain/ai/contract.ts';
import { updateCall } from '#domain/calls/contract.ts';
import type { CallId } from '#domain/ids.ts';
import { organizationRounds } from '#server/platform/organization-rounds.ts';
import { AnalyzerError } from '#server/providers/ai/port.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { generateMissing } from './jobs.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
let call: { id: CallId };

beforeAll(async () => {
  app = await openTestApp();
  ada = await newOrganization(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  call = (await runningCall(ada)).call;
});

const promise = "Ada: I'll send you the contract by Friday.";
const long = `${promise}\n${'Ben: The new reports are in use with all of our teams. '.repeat(12)}`;
const kept = () => ada.call(listActionItems, { params: { id: call.id } });
const titles = async () => (await kept()).actionItems.map(({ title }) => title);
const write = (notesSnapshot: string) =>
  ada.call(updateCall, { params: { id: call.id }, body: { notesSnapshot } });
const generate = (fullConversation: string) =>
  ada.call(generateActionItems, { body: { callId: call.id, fullConversation } });
const endCall = (more = {}) =>
  ada.call(updateCall, {
    params: { id: call.id },
    body: { endedAt: new Date().toISOString(), ...more },
  });

describe('a call that ended without a request for action items', () => {
  const later = () => new Date(Date.now() + 60_000);

  test('gets its action items from its notes, of any length, once', async () => {
    await endCall({ notesSnapshot: promise });
    expect(await generateMissing(app.services, new Date()), 'the page is given its time').toBe(0);
    expect(await generateMissing(app.services, later())).toBe(1);
    expect((await kept()).actionItems).toMatchObject([{ owner: 'Ada', due: 'by Friday' }]);
    expect(await generateMissing(app.services, later())).toBe(0);
  });

  test('gets them again where the list is from before the end, and none while it runs', async () => {
    await write(promise);
    await generate(promise);
    expect(await generateMissing(app.services, later())).toBe(0);
    await endCall({ notesSnapshot: `${promise}\nBen: I will call the bank tomorrow.` });
    expect(await generateMissing(app.services, later())).toBe(1);
    expect((await titles()).length).toBe(2);
    expect(await generateMissing(app.services, later())).toBe(0);
  });

  test('gets none without notes', async () => {
    await endCall();
    expect(await generateMissing(app.services, later())).toBe(0);
  });

  const endedWith = async (who: typeof ada, notesSnapshot: string) => {
    const { call: ended } = await runningCall(who);
    await who.call(updateCall, {
      params: { id: ended.id },
      body: { endedAt: new Date().toISOString(), notesSnapshot },
    });
    return ended.id;
  };
  const unreadable = `unreadable\n${long}`;
  const readingAllBut = () => {
    const found = vi.fn(async ({ text }: { text: string }) => {
      if (text.startsWith('unreadable')) throw new AnalyzerError('it took too long');
      return [];
    });
    return {
      found,
      services: { ...app.services, ai: { ...app.services.ai, findActionItems: found } },
    };
  };

  test('B4: a hundred unreadable calls of one organization cost one attempt', async () => {
    const [eve, ben] = [await newOrganization(app), await newOrganization(app)];
    const bad = await endedWith(eve, unreadable);
    await app.owner.query(
      `insert into calls (id, org_id, room_id, started_at, ended_at, duration_sec, notes_snapshot)
        select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, org_id, room_id,
          started_at, ended_at, duration_sec, notes_snapshot
        from calls, generate_series(1, 100) n where calls.id = $1`,
      [bad],
    );
    const good = await endedWith(ben, long);
    const { found, services } = readingAllBut();
    await generateMissing(services, later());
    const texts = found.mock.calls.map(([{ text }]) => text.slice(0, 10));
    expect(texts.filter((text) => text === 'unreadable')).toHaveLength(1);
    const lists = await app.owner.query(
      'select call_id from action_item_lists where call_id = any ($1)',
      [[bad, good]],
    );
    expect(lists.rows).toEqual([{ call_id: good }]);
    await app.owner.query('delete from calls where org_id = $1', [eve.user.orgId]);
  });

  test('R14-8: a call that waits for the analyzer keeps no other organization waiting', async () => {
    const [eve, ben] = [await newOrganization(app), await newOrganization(app)];
    await endedWith(eve, unreadable);
    const good = await endedWith(ben, long);
    const analyzer = Promise.withResolvers<[]>();
    const findActionItems = ({ text }: { text: string }) =>
      text.startsWith('unreadable') ? analyzer.promise : Promise.resolve([]);
    const services = { ...app.services, ai: { ...app.services.ai, findActionItems } };
    await generateMissing(services, later(), organizationRounds());
    await expect
      .poll(async () => {
        const values = [good];
        const list = 'select call_id from action_item_lists where call_id = $1';
        return (await app.owner.query(list, values)).rows;
      })
      .toHaveLength(1);
    analyzer.resolve([]);
  });

  test('R10-3: long notes are not read to learn that they are long', async () => {
    const eve = await newOrganization(app);
    const ended = await endedWith(eve, long);
    const blocksRead = async () => {
      const { rows } = await app.owner.query(
        `explain (analyze, buffers, format json)
          select * from calls_without_action_items(now() - interval '1 day', now(), 500)`,
      );
      const plan = rows[0]['QUERY PLAN'][0].Plan;
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    };
    await blocksRead(); // the first plans, too
    const before = await blocksRead();
    // Random, so that they are not stored as a few bytes: about 80 blocks.
    await app.owner.query(
      `update calls set notes_snapshot = (
        select string_agg(md5(random()::text), '') from generate_series(1, 20000)
      ) where id = $1`,
      [ended],
    );
    expect((await blocksRead()) - before).toBeLessThan(20);
    await app.owner.query('delete from calls where org_id = $1', [eve.user.orgId]);
  });

  test('B4: an unreadable call is tried five times, with growing delays', async () => {
    const eve = await newOrganization(app);
    const bad = await endedWith(eve, unreadable);
    const { found, services } = readingAllBut();
    const waits: number[] = [];
    for (let run = 0; run < 7; run += 1) {
      await generateMissing(services, later());
      await generateMissing(services, later());
      const { rows } = await app.owner.query(
        `with was as (select * from action_item_failures where call_id = $1)
          update action_item_failures f set next_try_at = now() from was where f.call_id = $1
          returning round(extract(epoch from was.next_try_at - now()) / 60)::int as minutes`,
        [bad],
      );
      waits.push(rows[0].minutes);
    }
    expect(found).toHaveBeenCalledTimes(5);
    expect(waits.slice(0, 5)).toEqual([4, 16, 64, 256, 1024]);
  });
});
