import { BlockList, isIP } from 'node:net';

/** IANA's special-purpose IPv4 addresses, none of which is on the public internet. */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Answers machines in Azure alone, with their settings and secrets: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16 */
const metadata4 = ['168.63.129.16/32'];
/** Within the public 2000::/3: Teredo and other protocols, documentation, and 6to4. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const special = listOf([...special4, ...metadata4, ...special6]);
const public6 = listOf(['2000::/3']);

/**
 * Returns whether an address is on the public internet, so that no machine of the own network can
 * have it.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, 'ipv4');
  // Mapped, translated, local and link-local addresses all lie outside 2000::/3.
  return isIP(address) === 6 && public6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** @param entries addresses and CIDRs, separated by commas */
export function allowedAddresses(entries: string | undefined): (address: string) => boolean {
  if (!entries) return () => false;
  const list = listOf(entries.split(',').map((entry) => entry.trim()));
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function listOf(ranges: string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
