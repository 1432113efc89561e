/**
 * Whether a key may be sent to this address: a key must not cross a network unencrypted, so plain
 * HTTP is allowed only to a stand-in on this machine.
 */
export function isSafeAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, search, hash } = new URL(value);
  const local = hostname === 'localhost' || hostname === '127.0.0.1';
  if (username || search || hash) return false;
  return protocol === 'https:' || (protocol === 'http:' && local);
}
