import { z } from 'zod';
import { contract } from '#domain/contract.ts';

/** `agent`: the person who started the call. `staff`: every member of the organization. */
export const recapRecipients = ['nobody', 'agent', 'staff'] as const;
export type RecapRecipients = (typeof recapRecipients)[number];

const recapSettings = z.object({
  recipients: z.enum(recapRecipients),
  /** Whether the reader wants no recaps. */
  isOptedOut: z.boolean(),
});
export type RecapSettings = z.infer<typeof recapSettings>;

export const readRecapSettings = contract({
  method: 'GET',
  path: '/api/recap-settings',
  summary: 'Who gets a mail with the recap of a call, and whether you do',
  permission: 'organization.read',
  output: { 200: recapSettings },
});

export const changeRecapSettings = contract({
  method: 'PUT',
  path: '/api/recap-settings',
  summary: 'Choose who gets a mail with the recap of a call',
  permission: 'organization.update',
  needsVerifiedAddress: true,
  body: z.object({ recipients: z.enum(recapRecipients) }),
  output: { 200: recapSettings },
  errors: [400],
});

export const changeOwnRecaps = contract({
  method: 'PUT',
  path: '/api/own-recaps',
  summary: 'Choose whether you get recaps that your organization sends',
  permission: 'organization.read',
  body: z.object({ isOptedOut: z.boolean() }),
  output: { 200: recapSettings },
  errors: [400],
});
