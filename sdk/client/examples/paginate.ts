import { createClient } from '@rapport/client';

const { RAPPORT_URL: url = '', RAPPORT_TOKEN: token = '' } = process.env;
const rapport = createClient({ url, token });

// Reads the next page when the loop gets there.
for await (const room of rapport.each('listRooms', { query: { limit: 2 } })) {
  console.log(room.topic);
}
