import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Site } from '#server/http/route.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { ConnectionRow } from './connection-store.ts';

/** A request that a browser brings from an identity provider. */
export interface Landing {
  site: Site;
  tenant: Tenant;
  connection: ConnectionRow;
  base: string;
  request: FastifyRequest;
  reply: FastifyReply;
  browser: string | undefined;
}
