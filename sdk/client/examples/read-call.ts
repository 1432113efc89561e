import { createClient } from '@rapport/client';

const { RAPPORT_URL: url = '', RAPPORT_TOKEN: token = '', CALL_ID: id = '' } = process.env;
const rapport = createClient({ url, token });

const call = await rapport.readCall({ params: { id } });
console.log(`${call.room.topic}, ${call.startedAt}`);

let after: string | null = '';
while (after !== null) {
  const query: { after?: string } = after === '' ? {} : { after };
  const { lines, next } = await rapport.getTranscript({ params: { id }, query });
  for (const { name, text } of lines) console.log(`${name}: ${text}`);
  after = next;
}
