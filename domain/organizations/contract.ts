import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { orgId } from '#domain/ids.ts';
import { logoMostBytes } from '#domain/organizations/logo.ts';
import { requiredText } from '#domain/text.ts';

export const defaultBrandColor = '#2563eb';
export const plans = ['starter', 'professional', 'enterprise'] as const;

export const organization = z.object({
  id: orgId,
  name: z.string(),
  brandColor: z.string(),
  plan: z.enum(plans),
  /** A path on this server that needs no session; null without a logo. */
  logoUrl: z.string().nullable(),
});
/** The parts of an organization that customers see. */
export const organizationBrand = organization.pick({ name: true, brandColor: true, logoUrl: true });
export type OrganizationBrand = z.infer<typeof organizationBrand>;
export type Organization = z.infer<typeof organization>;

export const readOrganization = contract({
  method: 'GET',
  path: '/api/organizations/:orgId',
  summary: 'Your organization',
  permission: 'organization.read',
  params: z.object({ orgId }),
  output: { 200: organization },
  errors: [404],
});

const wrongColor = 'Invalid color format';
/** Spec section 5, Organization. */
export const updateOrganizationBody = z.object({
  name: requiredText('Organization name is required', 100),
  brandColor: z.string({ error: wrongColor }).regex(/^#[0-9a-fA-F]{6}$/, wrongColor),
  plan: z.enum(plans, { error: 'Please choose a plan' }),
});

export const createOrganization = contract({
  method: 'POST',
  path: '/api/organizations',
  summary: 'Make an organization, its maker the admin; for an account that is in none',
  permission: 'session',
  body: updateOrganizationBody.pick({ name: true }),
  output: { 201: organization },
  errors: [400, 409, 429],
});

export const updateOrganization = contract({
  method: 'PUT',
  path: '/api/organizations/:orgId',
  summary: 'Change name, color and plan of your organization',
  permission: 'organization.update',
  params: z.object({ orgId }),
  body: updateOrganizationBody,
  output: { 200: organization },
  errors: [400, 404, 409],
});

export const uploadLogo = contract({
  method: 'POST',
  path: '/api/organizations/:orgId/logo',
  summary: 'Set the logo of your organization: a PNG, JPEG, WebP or SVG file of at most 2 MB',
  permission: 'organization.update',
  params: z.object({ orgId }),
  file: { mostBytes: logoMostBytes },
  output: { 200: organization },
  errors: [404, 413, 415, 429],
});

export const removeLogo = contract({
  method: 'DELETE',
  path: '/api/organizations/:orgId/logo',
  summary: 'Remove the logo of your organization',
  permission: 'organization.update',
  params: z.object({ orgId }),
  output: { 200: organization },
  errors: [404],
});
