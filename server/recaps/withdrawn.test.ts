import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { changeRecapSettings } from '#domain/recaps/contract.ts';
import { sendDueMails } from '#server/mail/send-mails.ts';
import type { SentMail } from '#server/providers/mail/port.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { storeTranscriptLine } from '#server/testing/transcript-line.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';
import { waitingForLocks } from '#server/testing/waiting-for-locks.ts';
import { mailRecaps } from './mail-recaps.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://calls.example.com' });
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.owner.query('delete from mails');
  await app.owner.query('delete from recap_settings');
  app.mails.length = 0;
  ada = await newOrganization(app);
  await ada.call(changeRecapSettings, { body: { recipients: 'agent' } });
  await app.owner.query(`update recap_settings set enabled_at = now() - interval '1 day'`);
});

/** A call that ended twenty minutes ago, with a summary and an item of what a guest said. */
async function summarizedCall() {
  const { call } = await runningCall(ada);
  const body = { endedAt: new Date().toISOString(), endForEveryone: true };
  await ada.call(updateCall, { params: { id: call.id }, body });
  await app.owner.query(
    `update calls set started_at = now() - interval '50 minutes', ended_at = now() - interval '20 minutes',
       duration_sec = 1800 where id = $1`,
    [call.id],
  );
  await storeTranscriptLine(app, call.id, { text: 'I order the marmalade.' });
  const summary = [
    { text: 'Cleo orders marmalade.', cites: [{ kind: 'note', line: 1, quote: 'marmalade' }] },
  ];
  await app.owner.query(
    `insert into call_insights (call_id, org_id, state, insights, generated_at)
       select id, org_id, 'ready', $2, now() from calls where id = $1`,
    [call.id, { summary, topics: null, questions: null, talk: null, isPartial: false }],
  );
  await app.owner.query(
    `insert into action_item_lists (call_id, org_id) select id, org_id from calls where id = $1
       on conflict do nothing`,
    [call.id],
  );
  await app.owner.query(
    `insert into action_items (id, org_id, call_id, position, priority, confidence, title, description,
         cited_line_id, cited_start_ms, cited_speaker)
       select gen_random_uuid(), org_id, call_id, 0, 'high', 1, 'Send marmalade', 'I order', id, 0, name
       from transcript_lines where call_id = $1`,
    [call.id],
  );
  return call;
}
const withdraw = (call: string) =>
  app.owner.query('delete from transcript_lines where call_id = $1', [call]);
const holdRemoval = (call: string) =>
  app.owner.query(
    `insert into held_removals (org_id, call_id, participant_id)
       select org_id, call_id, participant_id from transcript_lines where call_id = $1`,
    [call],
  );
const words = () => app.mails.map(({ text, html }) => text + html).join();

test.each([
  ['a withdrawal', withdraw],
  ['a withdrawal under legal hold', holdRemoval],
])(
  'R18-2: a recap that waits is canceled by %s, and those of other calls are sent',
  async (_by, remove) => {
    const [gone] = [await summarizedCall(), await summarizedCall()];
    await mailRecaps(app.services);
    await remove(gone.id);
    await sendDueMails(app.services);
    expect(app.mails).toHaveLength(1);
    expect(words()).not.toContain(gone.id);
  },
);

test('R18-2: a recap that was taken to be sent is not handed over after a withdrawal', async () => {
  const call = await summarizedCall();
  await summarizedCall();
  await mailRecaps(app.services);
  const sent: SentMail[] = [];
  const first = Promise.withResolvers<void>();
  // The first five are handed over at the same time, so the recaps are behind five others.
  await app.owner.query(
    `insert into mails (id, kind, recipient, subject, body_text, body_html, created_at, attempts, next_try_at)
       select gen_random_uuid(), 'security', 'x@example.com', 'x', 'x', 'x', now(), 0, now()
       from generate_series(1, 5)`,
  );
  const mail = {
    leavesMachine: true,
    send: async (one: SentMail) => {
      sent.push(one);
      await first.promise;
    },
  };
  const sending = sendDueMails({ ...app.services, mail });
  await expect.poll(() => sent.length).toBe(5);
  await withdraw(call.id);
  first.resolve();
  await sending;
  expect(sent).toHaveLength(6);
  expect(sent.map(({ text }) => text).join()).not.toContain(call.id);
});

test('R18-2: a recap is made of what is there once it is queued', async () => {
  const call = await summarizedCall();
  const client = new pg.Client(app.ownerLogin);
  await client.connect();
  try {
    await client.query('begin');
    await client.query('delete from transcript_lines where call_id = $1', [call.id]);
    const mailing = mailRecaps(app.services);
    await waitingForLocks(app);
    await client.query('commit');
    await mailing;
  } finally {
    await client.end();
  }
  await sendDueMails(app.services);
  expect(app.mails).toHaveLength(1);
  expect(words()).not.toContain('marmalade');
});

test('R18-2: under legal hold, a recap leaves out what a person who withdrew has said', async () => {
  const call = await summarizedCall();
  await holdRemoval(call.id);
  await mailRecaps(app.services);
  await sendDueMails(app.services);
  expect(app.mails).toHaveLength(1);
  expect(words()).not.toContain('marmalade');
});
