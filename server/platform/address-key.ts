import { isIPv6 } from 'node:net';

/** `::ffff:192.0.2.1`, also as Node writes it after parsing: `::ffff:c000:201`. */
const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i;

/**
 * The part of an address that one subscriber holds: an IPv4 address as it is, of an IPv6 address its
 * /64 (RFC 6177), and an IPv4-mapped IPv6 address as IPv4. Limits per address count by it. Anything
 * that is not an address is returned unchanged.
 */
export function addressKey(ip: string): string {
  const address = ip.split('%', 1)[0] ?? '';
  if (!isIPv6(address)) return ip;
  const [, dotted, high, low] = mapped.exec(canonical(address)) ?? [];
  if (dotted) return dotted;
  if (high && low) return ipv4Of(Number.parseInt(high, 16), Number.parseInt(low, 16));
  return `${groupsOf(canonical(address)).slice(0, 4).join(':')}::/64`;
}

/**
 * The network that one subscriber may hold at most: an IPv4 address as it is, of an IPv6 address its /48
 * (RFC 6177), which has 65,536 parts that `addressKey` counts apart.
 */
export function networkKey(ip: string): string {
  const key = addressKey(ip);
  if (!key.endsWith('::/64')) return key;
  return `${key.split(':').slice(0, 3).join(':')}::/48`;
}

const canonical = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1);

const ipv4Of = (high: number, low: number) =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.');

/** The eight groups, those that `::` stands for included. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  if (tail === undefined) return before;
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}
