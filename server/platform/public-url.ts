import type { FastifyRequest } from 'fastify';
import type { Config } from '#server/config.ts';

/** Returns the public address of the installation: PUBLIC_URL, or the address of this request. */
export const publicUrl = (config: Config, request: FastifyRequest): string =>
  config.PUBLIC_URL ?? `${request.protocol}://${request.host}`;
