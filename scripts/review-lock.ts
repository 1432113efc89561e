import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { fail } from './fail.ts';
import { complaintsOf, lockEntry } from './lock-entry.ts';

/**
 * Checks package-lock.json as a reviewer would: every package has a version from the registry and a
 * checksum, and none runs an install script, except those named here.
 */
const root = join(import.meta.dirname, '..');
const lock = z.object({ packages: z.record(z.string(), lockEntry) });
const manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

function unpinned(of: Record<string, string>): string[] {
  return Object.entries(of)
    .filter(([, version]) => !/^\d+\.\d+\.\d+[\w.-]*$/.test(version))
    .map(([name, version]) => `package.json asks for ${name} ${version}: pin a version`);
}

const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));

try {
  const { packages } = lock.parse(read('package-lock.json'));
  const own = manifest.parse(read('package.json'));
  const complaints = [
    ...Object.entries(packages).flatMap(([path, each]) => (path ? complaintsOf(path, each) : [])),
    ...Object.values(own).flatMap(unpinned),
  ];
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  console.log(`package-lock.json: ${Object.keys(packages).length} packages, nothing to say.`);
} catch (error) {
  fail(error);
}
