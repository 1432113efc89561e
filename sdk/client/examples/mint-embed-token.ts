import { createClient } from '@rapport/client';

const { RAPPORT_URL: url = '', RAPPORT_TOKEN: token = '', ROOM_ID: id = '' } = process.env;
const rapport = createClient({ url, token });

const minted = await rapport.mintEmbedToken({
  params: { id },
  body: { displayName: 'Helen Okafor', externalId: 'user-4711', admitted: true },
});
console.log(minted.token, minted.expiresAt);
