import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { languages } from '#domain/languages.ts';

const loaded = z.object({ loadedAt: z.iso.datetime() });

export const loadSamples = contract({
  method: 'POST',
  path: '/api/samples',
  summary: 'Load sample rooms, playbooks and calls, which count in no figure or limit',
  permission: 'samples.manage',
  body: z.object({ language: z.enum(languages).default('en') }),
  /** 200 if they were loaded before. */
  output: { 200: loaded, 201: loaded },
  errors: [400],
});

export const removeSamples = contract({
  method: 'DELETE',
  path: '/api/samples',
  summary: 'Remove the sample rooms, playbooks and calls',
  permission: 'samples.manage',
  output: { 204: null },
});
