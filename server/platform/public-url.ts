import type { FastifyRequest } from 'fastify';
import type { Config } from '#server/config.ts';

/** The address under which people reach us: PUBLIC_URL, else what this request was sent to. */
export const publicUrl = (config: Config, request: FastifyRequest): string =>
  config.PUBLIC_URL ?? `${request.protocol}://${request.host}`;
