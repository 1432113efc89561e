import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { AccessToken } from 'livekit-server-sdk';
import { listening } from './listening.ts';

/** Serves one page with LiveKit's client and a token, for the LiveKit server of BARE_LIVEKIT (JSON). */
const { url, key, secret } = JSON.parse(process.env.BARE_LIVEKIT ?? '{}');
const page = readFileSync(join(import.meta.dirname, 'livekit.html'), 'utf8');
const client = gzipSync(
  readFileSync(
    join(import.meta.dirname, '../../node_modules/livekit-client/dist/livekit-client.umd.js'),
  ),
);
let people = 0;

listening(
  createServer(async (request, response) => {
    if (request.url === '/livekit-client.js') {
      response.writeHead(200, {
        'content-type': 'text/javascript',
        'content-encoding': 'gzip',
        'cache-control': 'max-age=31536000, immutable',
      });
      response.end(client);
      return;
    }
    people += 1;
    const token = new AccessToken(key, secret, { identity: `bare-${people}` });
    token.addGrant({ roomJoin: true, room: `bare${request.url}` });
    const settings = JSON.stringify({ url, token: await token.toJwt() });
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' });
    response.end(page.replace('{{settings}}', () => settings));
  }),
);
