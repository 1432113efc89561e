import { z } from 'zod';
import { passwordOf, personName, user } from '#domain/auth/contract.ts';
import { roles } from '#domain/auth/permissions.ts';
import { contract, type RateLimit } from '#domain/contract.ts';
import { accountId, invitationId } from '#domain/ids.ts';
import { organizationBrand } from '#domain/organizations/contract.ts';
import { pageQuery } from '#domain/paging.ts';
import { emailAddress } from '#domain/text.ts';

export const invitation = z.object({
  id: invitationId,
  email: z.string(),
  role: z.enum(roles),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Invitation = z.infer<typeof invitation>;

/** Includes the link, which only its creator sees, and only once, because only its hash is stored. */
export const sentInvitation = invitation.extend({
  url: z.string(),
  /**
   * False if no mail server is set up, or too many mails were sent. The link must then be passed on
   * in another way.
   */
  mailed: z.boolean(),
  /** True if it was not mailed because the mail limits are reached. */
  mailLimitReached: z.optional(z.boolean()),
});
export type SentInvitation = z.infer<typeof sentInvitation>;

/** Spec section 5, Invite member. */
export const inviteBody = z.object({
  email: emailAddress('Invalid email address'),
  role: z.enum(roles, { error: 'Please choose a role' }),
});

/** Spec section 5, Invitation acceptance. */
export const acceptInvitationBody = z.object({
  email: inviteBody.shape.email,
  password: passwordOf(8),
  firstName: personName('First name is required'),
  lastName: personName('Last name is required'),
});

/** Opening and accepting an invitation share one limit. */
const invitationLimit: RateLimit = { name: 'invitation', most: 60, windowSeconds: 600 };
const byToken = z.object({ token: z.string().max(200) });

export const listUsers = contract({
  method: 'GET',
  path: '/api/users',
  summary: 'The members of your organization, by name',
  permission: 'team.read',
  scope: 'team:read',
  query: pageQuery,
  output: { 200: z.array(user) },
});

export const inviteUser = contract({
  method: 'POST',
  path: '/api/users/invite',
  summary: 'Invite somebody; an open invitation to the same address is replaced',
  permission: 'team.manage',
  stores: true,
  needsVerifiedAddress: true,
  body: inviteBody,
  output: { 201: sentInvitation },
  errors: [400, 403, 409],
});

export const changeRole = contract({
  method: 'PUT',
  path: '/api/users/:userId/role',
  summary: 'Give a member another role',
  permission: 'team.manage',
  params: z.object({ userId: accountId }),
  body: z.object({ role: inviteBody.shape.role }),
  output: { 200: user },
  errors: [400, 403, 404, 409, 429],
});

export const removeUser = contract({
  method: 'DELETE',
  path: '/api/users/:id',
  summary: 'Remove a member: the account stays, without an organization',
  permission: 'team.manage',
  params: z.object({ id: accountId }),
  output: { 204: null },
  errors: [403, 404, 409],
});

export const endUserSessions = contract({
  method: 'DELETE',
  path: '/api/users/:id/sessions',
  summary: 'Sign a member out everywhere; they may sign in again',
  permission: 'team.manage',
  params: z.object({ id: accountId }),
  output: { 204: null },
  errors: [403, 404, 409],
});

export const listInvitations = contract({
  method: 'GET',
  path: '/api/invitations',
  summary: 'Open invitations, newest first',
  permission: 'team.manage',
  query: pageQuery,
  output: { 200: z.array(invitation) },
});

export const resendInvitation = contract({
  method: 'POST',
  path: '/api/invitations/:id/resend',
  summary: 'Make a new link, good for another seven days; the old one stops working',
  permission: 'team.manage',
  needsVerifiedAddress: true,
  params: z.object({ id: invitationId }),
  output: { 200: sentInvitation },
  errors: [404, 429],
});

export const cancelInvitation = contract({
  method: 'DELETE',
  path: '/api/invitations/:id',
  summary: 'Cancel an invitation: its link stops working',
  permission: 'team.manage',
  params: z.object({ id: invitationId }),
  output: { 204: null },
  errors: [404],
});

export const readInvitation = contract({
  method: 'GET',
  path: '/api/invitations/:token',
  rateLimit: invitationLimit,
  summary: 'What an invitation link leads to',
  permission: 'public',
  params: byToken,
  output: {
    200: z.object({
      email: z.string(),
      organization: organizationBrand,
      /** An account of this address joins while signed in. Otherwise the form creates it. */
      hasAccount: z.boolean(),
    }),
  },
  errors: [404, 410, 429],
});

export const acceptInvitation = contract({
  method: 'POST',
  path: '/api/invitations/:token/accept',
  rateLimit: invitationLimit,
  summary: 'Accept an invitation and make the account; 409 where the address has one',
  permission: 'public',
  params: byToken,
  body: acceptInvitationBody,
  output: { 201: user },
  errors: [400, 404, 409, 410, 429],
});

export const joinBody = z.object({
  /** The token of the invitation link. */
  invitation: z.string().max(200),
  /** Leave the current organization for the inviting one. */
  leaveOrganization: z.boolean().default(false),
});

export const joinByInvitation = contract({
  method: 'POST',
  path: '/api/user/membership',
  rateLimit: invitationLimit,
  summary: 'Accept an invitation with the account that is signed in',
  permission: 'session',
  body: joinBody,
  output: {
    200: z.object({
      /** The organization requires single sign-on, so the session has ended. */
      mustSignIn: z.boolean(),
    }),
  },
  errors: [400, 404, 409, 410, 429],
});
