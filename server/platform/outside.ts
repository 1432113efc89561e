import { Resolver } from 'node:dns/promises';
import type { Config } from '#server/config.ts';
import { type CheckTarget, type SafeFetch, safeFetchFor, targetCheckFor } from './safe-fetch.ts';

/** Returns the TXT records of a name, each joined into one text; null if the name servers do not answer. */
export type TxtRecords = (name: string) => Promise<string[] | null>;

/** Access to addresses and domains that users enter. */
export interface Outside {
  fetch: SafeFetch;
  checkTarget: CheckTarget;
  txtRecords: TxtRecords;
}

export const openOutside = (config: Config): Outside => ({
  fetch: safeFetchFor(config.ALLOW_PRIVATE_TARGETS),
  checkTarget: targetCheckFor(config.ALLOW_PRIVATE_TARGETS),
  txtRecords: (name) => txtRecords(name, config.DNS_SERVERS?.split(',')),
});

/** The resolver's own timeouts apply to each name server, and there may be several. */
const longestTxtMs = 10_000;
const absent = new Set(['ENOTFOUND', 'ENODATA']);

async function txtRecords(name: string, servers?: string[]): Promise<string[] | null> {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  if (servers) resolver.setServers(servers.map((server) => server.trim()));
  const timer = setTimeout(() => resolver.cancel(), longestTxtMs);
  try {
    const records = await resolver.resolveTxt(name);
    return records.map((pieces) => pieces.join(''));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return absent.has(code) ? [] : null;
  } finally {
    clearTimeout(timer);
  }
}
