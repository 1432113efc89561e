import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Where names are looked up. Tests pass their own. */
export interface NameSources {
  hostsFile: string;
  resolvConf: string;
  /** Name servers instead of the system's. */
  servers?: string[];
}

const system: NameSources = {
  hostsFile:
    process.platform === 'win32'
      ? `${process.env.SystemRoot}\\System32\\drivers\\etc\\hosts`
      : '/etc/hosts',
  resolvConf: '/etc/resolv.conf',
};

const loopback = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
/** The limit of the C library. */
const mostSuffixes = 6;

/**
 * Returns the addresses of a name from the hosts file, or else from DNS, with the search list of
 * resolv.conf after the name itself. `dns.lookup` would block one of the few threads, which
 * passwords and files need, too, for as long as a name server is silent.
 * @param signal ends the lookup
 * @throws the error of the name servers, or the signal's reason
 */
export async function resolveName(
  hostname: string,
  signal: AbortSignal,
  sources = system,
): Promise<ResolvedAddress[]> {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const entries = hostsEntries(await textOf(sources.hostsFile), name);
  if (entries.length > 0) return entries;
  if (name === 'localhost' || name.endsWith('.localhost')) return loopback;
  const suffixes = hostname.endsWith('.') ? [] : suffixesOf(await textOf(sources.resolvConf));
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (sources.servers) resolver.setServers(sources.servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    return await firstKnown(resolver, [name, ...suffixes.map((one) => `${name}.${one}`)], signal);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function firstKnown(
  resolver: Resolver,
  names: string[],
  signal: AbortSignal,
): Promise<ResolvedAddress[]> {
  let failure: unknown;
  for (const name of names) {
    signal.throwIfAborted();
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (found.length > 0) return found.map((address) => ({ address, family: isIP(address) }));
    const [failed] = answers.filter((one) => one.status === 'rejected');
    failure ??= failed?.reason;
    if (!absent.has(failed?.reason?.code)) break;
  }
  signal.throwIfAborted();
  throw failure;
}

/** Codes for a name that does not exist. The search list comes next. */
const absent = new Set(['ENOTFOUND', 'ENODATA']);

/** A system without the file has no entries. */
const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

const wordsOf = (line: string) => (line.split(/[#;]/, 1)[0] ?? '').trim().split(/\s+/);

function hostsEntries(text: string, name: string): ResolvedAddress[] {
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = wordsOf(line.toLowerCase());
    const family = isIP(address);
    return family > 0 && names.includes(name) ? [{ address, family }] : [];
  });
}

/** Only the last `search` or `domain` line counts. */
function suffixesOf(text: string): string[] {
  const lines = text.split('\n').map(wordsOf);
  const last = lines.findLast(([keyword]) => keyword === 'search' || keyword === 'domain');
  return (last ?? []).slice(1, mostSuffixes + 1).map((one) => one.replace(/\.$/, ''));
}
