import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { describeApi } from './describe.ts';

const description = describeApi();
const described = Object.values(description.paths).flatMap((item) => Object.values(item));

test('the description follows OpenAPI 3.1 and the recommended rules', async () => {
  // Rapport has no license yet that a description could name.
  const rules = { 'info-license': 'off' as const };
  const config = await createConfig({ extends: ['recommended'], rules });
  const source = JSON.stringify(description);
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  const told = problems.map(({ ruleId, message, location: [at] }) => [
    ruleId,
    message,
    at?.pointer,
  ]);
  expect(told).toEqual([]);
});

test('every operation has a text, a chapter, one scope, and its refusals', () => {
  const chapters = description.tags.map(({ name }) => name);
  for (const { operationId, summary, ...each } of described) {
    const { tags, security, responses } = each;
    expect(chapters, operationId).toContain(tags[0]);
    expect(summary, operationId).toMatch(/^[A-Z][^.]+$/);
    expect(each.description, operationId).toMatch(/\.$/);
    expect(security, operationId).toEqual([{ token: [expect.stringMatching(/^\w+:\w+$/)] }]);
    expect(Object.keys(responses), operationId).toEqual(
      expect.arrayContaining(['401', '403', '429']),
    );
  }
});

test('reads describe If-None-Match and 304, POSTs Idempotency-Key, and other changes If-Match and 412', () => {
  const headerAndStatus: Record<string, readonly [string, string]> = {
    get: ['If-None-Match', '304'],
    post: ['Idempotency-Key', '409'],
  };
  for (const item of Object.values(description.paths)) {
    for (const [method, { operationId, parameters, responses }] of Object.entries(item)) {
      const [header, status] = headerAndStatus[method] ?? ['If-Match', '412'];
      expect(parameters, operationId).toContainEqual({ $ref: `#/components/parameters/${header}` });
      expect(Object.keys(responses), operationId).toContain(status);
    }
  }
});

test('a schema has no pattern beside its format, and no bound of every integer', () => {
  const { Call, Room } = description.components.schemas;
  expect(Room?.properties?.id).toEqual({ type: 'string', format: 'uuid' });
  expect(Call?.properties?.endedAt).toEqual({ type: ['string', 'null'], format: 'date-time' });
  expect(Room?.properties?.callCount).toEqual({ type: 'integer' });
  expect(Room?.additionalProperties).toBeUndefined();
});
