import { createClient } from '@rapport/client';

const { RAPPORT_URL: url = '', RAPPORT_TOKEN: token = '' } = process.env;
const rapport = createClient({ url, token });

for (const { topic, callCount } of await rapport.listRooms({ query: { limit: 20 } })) {
  console.log(`${topic}: ${callCount} calls`);
}
