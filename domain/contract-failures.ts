import type { Contract } from '#domain/contract.ts';

/** Returns the statuses of a contract's refusals: its own, and those that what it declares leads to. */
export function failuresOf(contract: Contract): number[] {
  const { permission, body, query, params, file, method, rateLimit, scope } = contract;
  const failures = new Set<number>([
    ...(contract.errors ?? []),
    ...(permission === 'public' ? [] : [401]),
    ...(permission === 'public' || permission === 'session' ? [] : [403]),
    ...(body || query || file ? [400] : []),
    ...(params ? [404] : []),
    ...(body ? [413, 415] : []),
    ...(method === 'GET' ? [] : [403]),
    ...(rateLimit || scope ? [429] : []),
    ...(scope && method !== 'GET' && method !== 'POST' ? [412] : []),
    ...(scope && method === 'POST' ? [400, 409, 422] : []),
  ]);
  return [...failures].sort((a, b) => a - b);
}
