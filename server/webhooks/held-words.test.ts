import { afterAll, beforeAll, expect, test } from 'vitest';
import { addActionItem } from '#domain/action-items/contract.ts';
import { createWebhook } from '#domain/webhooks/contract.ts';
import { endedCall } from '#server/testing/crm-things.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { storeTranscriptLine } from '#server/testing/transcript-line.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { WebhookReceiver } from '#server/testing/webhook-receiver.ts';
import { deliverDue } from './deliver-due.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ ALLOW_PRIVATE_TARGETS: '127.0.0.1' });
});
afterAll(() => app.close());

test('R18-7: under legal hold, webhooks send nothing that was made of words of a person who withdrew', async () => {
  const receiver = await new WebhookReceiver().open();
  try {
    const ada = await newOrganization(app);
    const events = ['call.summary_ready', 'action_item.created'] as const;
    await ada.call(createWebhook, { body: { url: receiver.url, events: [...events] } });
    const { call } = await endedCall(app, ada, null);
    const line = await storeTranscriptLine(app, call.id, { text: 'I order the marmalade.' });
    const summary = [
      { text: 'Cleo orders marmalade.', cites: [{ kind: 'note', line: 1, quote: 'marmalade' }] },
    ];
    await app.owner.query(
      `insert into call_insights (call_id, org_id, state, insights, generated_at)
         select id, org_id, 'ready', $2, now() from calls where id = $1`,
      [call.id, { summary, topics: null, questions: null, talk: null, isPartial: false }],
    );
    const add = (title: string) =>
      ada.call(addActionItem, { params: { id: call.id }, body: { title } });
    await add('Call back');
    const { id } = await add('Order marmalade');
    await app.owner.query(
      `update action_items set cited_line_id = $2, cited_start_ms = 0, cited_speaker = 'Cleo' where id = $1`,
      [id, line],
    );
    await app.owner.query(
      `insert into held_removals (org_id, call_id, participant_id) select org_id, id, $2 from calls where id = $1`,
      [call.id, line],
    );
    await app.owner.query('update webhook_deliveries set next_try_at = now()');
    while ((await deliverDue(app.services)) > 0);
    const sent = receiver.received.map(({ body }) => String(body)).join();
    expect(sent).toContain('Call back');
    expect(sent).not.toContain('marmalade');
  } finally {
    receiver.close();
  }
});
