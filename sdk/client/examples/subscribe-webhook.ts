import { createClient } from '@rapport/client';

const { RAPPORT_URL: url = '', RAPPORT_TOKEN: token = '' } = process.env;
const rapport = createClient({ url, token });

const { id, secret } = await rapport.createWebhook({
  body: { url: 'https://hooks.example.com/rapport', events: ['call.ended', 'call.scored'] },
});
// Keep the secret: it is shown this once, and verifies the deliveries.
console.log(id, secret);
