import { useQuery } from '@tanstack/react-query';
import { readIceServers } from '#domain/devices/contract.ts';
import { reading } from '#web/platform/query-client.ts';

/** Fetched for each test: credentials expire. */
export const useIceServers = () => useQuery({ ...reading(readIceServers, {}), gcTime: 0 });

/** @returns how long the server takes to answer; null if it does not */
export async function roundTripMs(): Promise<number | null> {
  const begin = performance.now();
  try {
    const { ok } = await fetch('/healthz', { cache: 'no-store' });
    return ok ? Math.round(performance.now() - begin) : null;
  } catch {
    return null;
  }
}
