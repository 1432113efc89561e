import { createHmac, randomUUID } from 'node:crypto';
import type { TestApp } from './open-test-app.ts';
import { Visitor } from './visitor.ts';

export const seconds = () => Math.floor(Date.now() / 1000);

/** A webhook's body as Daily sends it. */
export const dailyEvent = (type: string, payload: object, id: string = randomUUID()) => ({
  ...{ version: '1.0.0', type, id, event_ts: Date.now() / 1000 },
  payload,
});

/** Returns a webhook as Daily signs it with this secret (its page "Webhooks"). */
export function signedDailyEvent(secret: string, event: object) {
  const body = JSON.stringify(event);
  const timestamp = String(seconds());
  const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(`${timestamp}.${body}`)
    .digest('base64');
  const headers = {
    'content-type': 'application/json',
    'x-webhook-timestamp': timestamp,
    'x-webhook-signature': signature,
  };
  return { body, headers };
}

export function sendDailyEvent(app: TestApp, secret: string, event: object) {
  const { body, headers } = signedDailyEvent(secret, event);
  return new Visitor(app).send('POST', '/api/webhooks/daily', body, headers);
}
