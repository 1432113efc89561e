import { isIP } from 'node:net';

/** `host[:port]` as RFC 9110 has it; an IPv6 address stands in brackets. */
const hostHeader = /^(?:\[([\da-f:.]+)\]|([a-z\d._-]+))(?::\d{1,5})?$/i;

/** The name of a Host header without its port, in lower case; null for one that does not parse. */
export function hostName(host: string): string | null {
  const [, address, name] = hostHeader.exec(host) ?? [];
  if (address !== undefined) return isIP(address) === 6 ? address.toLowerCase() : null;
  return name?.toLowerCase() ?? null;
}
