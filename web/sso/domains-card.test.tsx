// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ssoDomain } from '#domain/sso/contract.ts';
import '#web/platform/administration-texts.ts';
import { DomainsCard } from '#web/sso/domains-card.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { show, someId, toastLook } from '#web/testing/show.tsx';

const domain = ssoDomain.parse({
  id: someId(90),
  domain: 'example.com',
  recordName: '_rapport.example.com',
  recordText: 'rapport=abc',
  verifiedAt: null,
  checkedAt: null,
  endsAt: null,
  connectionId: null,
});

test('G7: a verified domain whose record is missing shows when its verification ends, and the record', () => {
  const verified = { ...domain, verifiedAt: '2026-03-04T09:00:00Z' };
  const lapsing = { ...verified, id: someId(91), domain: 'lapsing.example' };
  const domains = [verified, { ...lapsing, endsAt: '2026-03-14T12:00:00Z' }].map((each) =>
    ssoDomain.parse(each),
  );
  show(<DomainsCard domains={domains} connections={[]} />);
  expect(screen.getByText('Record missing')).toBeTruthy();
  expect(screen.getByText(/loses its verification on .*14/)).toBeTruthy();
  expect(screen.getAllByText(domain.recordText)).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Check lapsing.example now' })).toBeTruthy();
});

test.each([
  ['is there', { verifiedAt: '2026-03-04T09:00:00Z' }, 'default'],
  ['is missing', {}, 'destructive'],
  [
    'has gone missing',
    { verifiedAt: '2026-03-04T09:00:00Z', endsAt: '2026-03-14T12:00:00Z' },
    'destructive',
  ],
])('a check whose record %s shows a toast', async (_, found, look) => {
  fakeServer({ [`POST /api/sso/domains/${domain.id}/verify`]: { ...domain, ...found } });
  const { by } = show(<DomainsCard domains={[domain]} connections={[]} />);
  await by.click(screen.getByRole('button', { name: /^Check/ }));
  const title = look === 'default' ? 'Domain verified' : 'Record not found yet';
  expect(await screen.findByText(title)).toBeTruthy();
  expect(toastLook(title)).toBe(look);
});
