import type { FastifyRequest } from 'fastify';
import type { Config } from '#server/config.ts';

/**
 * Returns the address of the installation for links that no member's request leads to: a job has no request,
 * and a guest's could name any host.
 */
export const installationUrl = ({ PUBLIC_URL, TLS_CERT, PORT }: Config): string =>
  PUBLIC_URL ?? `${TLS_CERT ? 'https' : 'http'}://localhost:${PORT}`;

/** Returns the public address of the installation: PUBLIC_URL, or the address of this request. */
export const publicUrl = (config: Config, request: FastifyRequest): string =>
  config.PUBLIC_URL ?? `${request.protocol}://${request.host}`;
