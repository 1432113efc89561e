import { isIPv6 } from 'node:net';

/** Matches `::ffff:192.0.2.1`, and `::ffff:c000:201`, the form that Node writes after parsing. */
const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i;

/**
 * Returns the part of an address that one subscriber holds, by which limits per address count: an
 * IPv4 address unchanged, the /64 of an IPv6 address (RFC 6177), and an IPv4-mapped IPv6 address as
 * IPv4. Input that is not an address is returned unchanged.
 */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip;
  const address = ip.split('%', 1)[0] ?? '';
  if (!isIPv6(address)) return ip;
  const [, dotted, high, low] = mapped.exec(canonical(address)) ?? [];
  if (dotted) return dotted;
  if (high && low) return ipv4Of(Number.parseInt(high, 16), Number.parseInt(low, 16));
  return `${groupsOf(canonical(address)).slice(0, 4).join(':')}::/64`;
}

/**
 * Returns the largest network that one subscriber may hold: an IPv4 address unchanged, or the /48
 * of an IPv6 address (RFC 6177), which contains 65,536 networks that `addressKey` counts
 * separately.
 */
export function networkKey(ip: string): string {
  const key = addressKey(ip);
  if (!key.endsWith('::/64')) return key;
  return `${key.split(':').slice(0, 3).join(':')}::/48`;
}

const canonical = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1);

const ipv4Of = (high: number, low: number) =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.');

/** Returns all eight groups, with `::` expanded. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  if (tail === undefined) return before;
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}
