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
  connectionId: null,
});

test.each([
  ['is there', '2026-03-04T09:00:00Z', 'default'],
  ['is missing', null, 'destructive'],
])('a check whose record %s shows a toast', async (_, verifiedAt, look) => {
  fakeServer({ [`POST /api/sso/domains/${domain.id}/verify`]: { ...domain, verifiedAt } });
  const { by } = show(<DomainsCard domains={[domain]} connections={[]} />);
  await by.click(screen.getByRole('button', { name: /^Check/ }));
  const title = verifiedAt ? 'Domain verified' : 'The record is not there yet';
  expect(await screen.findByText(title)).toBeTruthy();
  expect(toastLook(title)).toBe(look);
});
