import { expect, test } from 'vitest';
import { isSealedByCurrent, SealError, seal, unseal } from './seal.ts';
import { secretsFrom } from './secrets.ts';

const old = 'the secret of last year, long enough to be one';
const today = 'the secret of today, which is long enough, too';
const secrets = secretsFrom(today);

test('a sealed value can be read again, and does not show its content', () => {
  const sealed = seal(secrets, 'totp', 'ada', 'JBSWY3DPEHPK3PXP');
  expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
  expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain(
    'JBSW',
  );
  expect(unseal(secrets, 'totp', 'ada', sealed)).toBe('JBSWY3DPEHPK3PXP');
  expect(seal(secrets, 'totp', 'ada', 'JBSWY3DPEHPK3PXP')).not.toBe(sealed);
});

test('after a rotation the former key still opens values, and reports that it is former', () => {
  const sealed = seal(secretsFrom(old), 'totp', 'ada', 'kept');
  const rotated = secretsFrom(today, [old]);
  expect(unseal(rotated, 'totp', 'ada', sealed)).toBe('kept');
  expect(isSealedByCurrent(rotated, 'totp', sealed)).toBe(false);
  expect(isSealedByCurrent(rotated, 'totp', seal(rotated, 'totp', 'ada', 'kept'))).toBe(true);
  expect(() => unseal(secrets, 'totp', 'ada', sealed)).toThrow(/add the former SECRET_KEY/);
});

test('a value does not open in another row, for another purpose, or changed by a bit', () => {
  const sealed = seal(secrets, 'totp', 'ada', 'kept');
  expect(() => unseal(secrets, 'totp', 'eve', sealed)).toThrow(SealError);
  expect(() => unseal(secrets, 'oidc', 'ada', sealed)).toThrow(SealError);
  const [version, id, content = ''] = sealed.split('.');
  const bytes = Buffer.from(content, 'base64url');
  for (const at of [0, 13, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    const text = `${version}.${id}.${changed.toString('base64url')}`;
    expect(() => unseal(secrets, 'totp', 'ada', text)).toThrow(SealError);
  }
  for (const broken of ['', 'v1', 'v1..', `v1.${id}.AA`, `v2.${id}.${content}`]) {
    expect(() => unseal(secrets, 'totp', 'ada', broken)).toThrow(SealError);
  }
});
