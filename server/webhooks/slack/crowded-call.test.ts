import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { addSlackChannel } from '#domain/slack/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { planOf, recordStatements, rowsRead } from '#server/testing/query-plans.ts';
import { SlackStandIn } from '#server/testing/slack-stand-in.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { deliverDue } from '../deliver-due.ts';

let app: TestApp;
let slack: SlackStandIn;
const record = recordStatements();
beforeAll(async () => {
  slack = await new SlackStandIn().open();
  app = await openTestApp({}, { outside: slack.outside() });
});
afterAll(async () => {
  record.end();
  await app.close();
  slack.close();
});

/** Returns the text and details of the message about a call in which so many guests were, one after another. */
async function messageOf(guests: number): Promise<string> {
  const ada = await newOrganization(app);
  const secretAddress = 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXX';
  await ada.call(addSlackChannel, { body: { name: '#success', secretAddress } });
  const { call } = await runningCall(ada);
  await app.owner.query(
    `insert into attendances (id, org_id, call_id, kind, name, joined_at, left_at)
      select gen_random_uuid(), $1, $2, 'guest', 'Guest ' || n,
        now() - interval '1 hour' + n * interval '1 millisecond', now()
      from generate_series(1, $3::integer) n`,
    [ada.user.orgId, call.id, guests],
  );
  await app.owner.query('analyze attendances');
  const body = { endedAt: new Date().toISOString(), endForEveryone: true };
  await ada.call(updateCall, { params: { id: call.id }, body });
  record.isOn = true;
  while ((await deliverDue(app.services)) > 0);
  record.isOn = false;
  return JSON.stringify(slack.received.splice(0));
}

test('R20-14: a message names five of those who attended, and counts the others', async () => {
  expect(await messageOf(5)).toContain('With Guest 1, Guest 2, Guest 3, Guest 4, Guest 5');
  expect(await messageOf(6)).toContain('Guest 5 and 1 more');
});

test('R20-14: a message about a call of 3,000 reads a few of those who attended', async () => {
  record.sent.clear();
  expect(await messageOf(3_000)).toContain('Guest 5 and 100+ more');
  const sent = [...record.sent.values()].filter(({ text }) => text.includes('attendances'));
  expect(sent.length).toBeGreaterThan(0);
  const client = new pg.Client(app.ownerLogin);
  await client.connect();
  try {
    for (const one of sent) {
      const nodes = await planOf(client, one, false);
      expect([one.text, Math.max(...nodes.map(rowsRead)) <= 200]).toEqual([one.text, true]);
    }
  } finally {
    await client.end();
  }
});
