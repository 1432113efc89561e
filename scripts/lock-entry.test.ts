import { expect, test } from 'vitest';
import { complaintsOf } from './lock-entry.ts';

const good = { version: '1.2.3', integrity: 'sha512-abc' };

test.each([
  ['a repository in place of a version', { ...good, version: 'git+ssh://git@example.com/x.git' }],
  ['a folder', { link: true }],
  ['an address', { ...good, resolved: 'http://example.com/x.tgz' }],
  ['no checksum', { version: '1.2.3' }],
  ['a weak checksum', { ...good, integrity: 'sha1-abc' }],
  ['a script that runs as it is installed', { ...good, hasInstallScript: true }],
])('the review of the lock refuses %s', (_what, entry) => {
  expect(complaintsOf('node_modules/x', entry)).not.toEqual([]);
});

test('the review of the lock passes versions with checksums, and placeholders for other platforms', () => {
  expect(complaintsOf('node_modules/x', good)).toEqual([]);
  const elsewhere = { version: '1.2.3', optional: true, os: ['android'], cpu: ['arm64'] };
  expect(complaintsOf('node_modules/x', elsewhere)).toEqual([]);
});
