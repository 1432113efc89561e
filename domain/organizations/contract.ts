import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { orgId } from '#domain/ids.ts';

export const defaultBrandColor = '#2563eb';
export const plans = ['starter', 'professional', 'enterprise'] as const;

export const organization = z.object({
  id: orgId,
  name: z.string(),
  brandColor: z.string(),
  plan: z.enum(plans),
});
export type Organization = z.infer<typeof organization>;

export const readOrganization = contract({
  method: 'GET',
  path: '/api/organizations/:orgId',
  summary: 'Your organisation',
  permission: 'organization.read',
  params: z.object({ orgId }),
  output: { 200: organization },
  errors: [404],
});
