import { createClient, RapportError } from '@rapport/client';

const { RAPPORT_URL: url = '', RAPPORT_TOKEN: token = '' } = process.env;
// Waits for `Retry-After` and tries again up to three times, unless it would take longer than this.
const rapport = createClient({ url, token, retries: 3, longestWaitSeconds: 10 });

try {
  console.log(await rapport.listRooms());
} catch (error) {
  if (!(error instanceof RapportError) || error.status !== 429) throw error;
  console.log(`${error.code}: try again in ${error.retryAfterSeconds} seconds`);
}
