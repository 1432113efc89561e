import { createClient, etagOf, RapportError } from '@rapport/client';

const { RAPPORT_URL: url = '', RAPPORT_TOKEN: token = '', ROOM_ID: id = '' } = process.env;
const rapport = createClient({ url, token });

const params = { id };
const ifMatch = etagOf(await rapport.readRoom({ params }));
try {
  // Renames the room only if nobody has changed it since it was read.
  const { topic } = await rapport.updateRoom({ params, body: { topic: 'Renewal' }, ifMatch });
  console.log(topic);
} catch (error) {
  if (!(error instanceof RapportError) || error.status !== 412) throw error;
  console.log(`${error.code}: read it again, and decide whether the change still makes sense`);
}
