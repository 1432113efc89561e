import { isIP } from 'node:net';

/** `host[:port]` of RFC 9110; an IPv6 address is in brackets. */
const hostHeader = /^(?:\[([\da-f:.]+)\]|([a-z\d._-]+))(?::\d{1,5})?$/i;

/** Returns the name of a Host header without its port, in lower case; null if it does not parse. */
export function hostName(host: string): string | null {
  const [, address, name] = hostHeader.exec(host) ?? [];
  if (address !== undefined) return isIP(address) === 6 ? address.toLowerCase() : null;
  return name?.toLowerCase() ?? null;
}
