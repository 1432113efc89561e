import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { listening } from './listening.ts';

/** Serves the text of a page and nothing else, like a file server: from BARE_TEXT. */
const paragraphs = (process.env.BARE_TEXT ?? '').split('\n').map((line) => `<p>${line}</p>`);
const page = gzipSync(
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Text</title><main>${paragraphs.join('')}</main>`,
);

listening(
  createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-encoding', 'gzip');
    response.end(page);
  }),
);
