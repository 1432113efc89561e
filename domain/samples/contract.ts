import { z } from 'zod';
import { contract, type RateLimit } from '#domain/contract.ts';
import { languages } from '#domain/languages.ts';

/** Each stores or deletes some hundred rows. */
const rateLimit: RateLimit = { name: 'samples', most: 30, windowSeconds: 600 };
const loaded = z.object({ loadedAt: z.iso.datetime() });

export const loadSamples = contract({
  method: 'POST',
  path: '/api/samples',
  summary: 'Load sample rooms, playbooks and calls, which count in no figure or limit',
  permission: 'samples.manage',
  stores: true,
  rateLimit,
  body: z.object({ language: z.enum(languages).default('en') }),
  /** 200 if they were loaded before. */
  output: { 200: loaded, 201: loaded },
  errors: [400, 429],
});

export const removeSamples = contract({
  method: 'DELETE',
  path: '/api/samples',
  summary: 'Remove the sample rooms, playbooks and calls',
  permission: 'samples.manage',
  rateLimit,
  output: { 204: null },
  errors: [429],
});
