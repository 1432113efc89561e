import { createHmac, randomUUID } from 'node:crypto';
import type { TestApp } from './open-test-app.ts';
import { Visitor } from './visitor.ts';

export const seconds = () => Math.floor(Date.now() / 1000);

/** A webhook's body as Daily sends it. */
export const dailyEvent = (type: string, payload: object, id: string = randomUUID()) => ({
  ...{ version: '1.0.0', type, id, event_ts: Date.now() / 1000 },
  payload,
});

/** Sends a webhook that is signed with this secret. */
export function sendDailyEvent(app: TestApp, secret: string, body: object) {
  const timestamp = String(seconds());
  const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(`${timestamp}.${JSON.stringify(body)}`)
    .digest('base64');
  return new Visitor(app).send('POST', '/api/webhooks/daily', JSON.stringify(body), {
    'content-type': 'application/json',
    'x-webhook-timestamp': timestamp,
    'x-webhook-signature': signature,
  });
}
