import { createClient } from '@rapport/client';

const { RAPPORT_URL: url = '', RAPPORT_TOKEN: token = '' } = process.env;
const rapport = createClient({ url, token });

// The same key again creates no second room.
const room = await rapport.createRoom({
  body: { topic: 'Kick-off with Acme' },
  idempotencyKey: 'order-4711',
});
console.log(room.id);
