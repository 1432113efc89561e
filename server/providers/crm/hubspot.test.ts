import { expect, test } from 'vitest';
import { defaultMapping } from '#domain/crm/mapping.ts';
import { hubspot } from './hubspot.ts';

const at = { apiBase: 'https://api.hubapi.com', appUrl: 'https://app.hubspot.com' };
const answering = (body: unknown) =>
  hubspot({ id: 'app', secret: 'secret', ...at }, async () => new Response(JSON.stringify(body)));

test('R18-9: what a guest said is no markup in a property of rich text', () => {
  const mapping = {
    ...defaultMapping,
    summary: { isSent: true, property: 'rapport_summary' },
    notes: { isSent: true, property: 'rapport_notes' },
  };
  const said = `<img src=x onerror=alert(1)> a < b, <3, </p><!-- <a href="https://evil.example">pay</a>`;
  const fields = answering({}).callFields(
    {
      id: '0199c3a0-0000-7000-8000-000000000001',
      topic: 'Kick-off',
      url: 'https://calls.example.com/app/calls/1',
      startedAt: new Date('2026-11-25T10:00:00Z'),
      durationSec: 60,
      notes: said,
      score: null,
      scoreFeedback: null,
      summary: [said],
    },
    mapping,
  );
  for (const name of ['rapport_summary', 'rapport_notes']) {
    expect(fields[name]).not.toMatch(/<[a-z/!?]/i);
    expect(fields[name]).toContain('a < b, <3');
  }
});

test.each([
  [1e300, 86_400],
  [-5, 120],
  [0.001, 120],
  [1800, 1800],
])('R18-10: a token for %s seconds counts as one for %s', async (said, expected) => {
  const answer = { access_token: 'a', refresh_token: 'r', expires_in: said };
  const { expiresInSeconds } = await answering(answer).refresh('r', at.apiBase);
  expect(expiresInSeconds).toBe(expected);
});
