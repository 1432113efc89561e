import { Server as TlsServer } from 'node:https';
import type { FastifyInstance } from 'fastify';
import { addressKey } from './address-key.ts';
import { FairQueue, tooManyWaiting } from './fair-queue.ts';

/**
 * Files that one address has open. More requests wait before their file is opened, so that requests which
 * nobody reads hold neither files nor memory. They hold up only their own address. Past the bound in
 * all, the address with most waiting requests has one refused.
 */
const filesOfAddress = (perKey: number) =>
  new FairQueue({
    atOnce: Number.POSITIVE_INFINITY,
    perKey,
    mostWaiting: 2_000,
    mostInAll: 2_000,
  });
/**
 * With TLS, one that is not read holds 400 KB, most of it in copies of a piece. Files of pages are short, and a player
 * leaves a recording open.
 */
const openFiles = {
  plain: filesOfAddress(40),
  tls: { pages: filesOfAddress(10), media: filesOfAddress(20) },
};

/** Bounds the open files of the routes of `http`, which serve files to clients without an account. */
export function boundOpenFiles(http: FastifyInstance, kind: 'pages' | 'media'): void {
  const files = http.server instanceof TlsServer ? openFiles.tls[kind] : openFiles.plain;
  http.addHook('onRequest', (request, reply) => {
    const closed = new Promise<void>((resolve) => reply.raw.once('close', resolve));
    return new Promise<void>((begin, refuse) => {
      const open = async () => {
        if (reply.raw.destroyed) return refuse(tooManyWaiting());
        begin();
        await closed;
      };
      files.run(addressKey(request.ip), open).catch(refuse);
    });
  });
}
