import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '#domain/errors.ts';
import type { Config } from '#server/config.ts';
import { hostName } from './host-name.ts';

/**
 * Returns a function that accepts the hosts of PUBLIC_URL and ALLOWED_HOSTS, localhost, and IP
 * addresses.
 */
export function acceptedHosts(config: Config): (host: string) => boolean {
  const names = new Set(['localhost']);
  if (config.PUBLIC_URL) names.add(new URL(config.PUBLIC_URL).hostname);
  for (const entry of config.ALLOWED_HOSTS?.split(',') ?? []) {
    const name = hostName(entry.trim());
    if (name !== null) names.add(name);
  }
  return (host) => {
    const name = hostName(host);
    return name !== null && (names.has(name) || isIP(name) !== 0);
  };
}

/** The error for a request to a Host that is not served. It does not repeat the Host. */
export const misdirected = () =>
  new DomainError(
    'misdirected',
    'unknown_host',
    'This server doesn’t accept this address. To allow it, set PUBLIC_URL to the address that people open, or add its hostname to ALLOWED_HOSTS, and restart.',
  );

/**
 * Refuses requests to other Hosts with 421 before any other hook runs, so that every link built
 * from a request's Host names an accepted host. Behind a proxy of TRUSTED_PROXIES, the Host is
 * X-Forwarded-Host.
 */
export function refuseOtherHosts(http: FastifyInstance, config: Config): void {
  const isAccepted = acceptedHosts(config);
  http.addHook('onRequest', async (request: FastifyRequest) => {
    if (!isAccepted(request.host)) throw misdirected();
  });
}
