import { z } from 'zod';
import { email } from '#domain/auth/contract.ts';
import { contract } from '#domain/contract.ts';
import { accountId, orgId } from '#domain/ids.ts';
import { requiredText } from '#domain/text.ts';
import {
  longestRetentionDays,
  type RetentionKind,
  retentionKinds,
  shortestDaysOf,
} from './retention.ts';

const daysOf = (kind: RetentionKind) => {
  const wrong = `Please enter ${shortestDaysOf(kind)} to ${longestRetentionDays} days, or leave blank`;
  const days = z.int({ error: wrong }).min(shortestDaysOf(kind), wrong);
  return days.max(longestRetentionDays, wrong).nullable();
};
const ofEachKind = <T>(make: (kind: RetentionKind) => T) =>
  // Returns an object with one entry per kind.
  Object.fromEntries(retentionKinds.map((kind) => [kind, make(kind)])) as Record<RetentionKind, T>;
/** Days after which each kind is deleted; null keeps it. */
export const retention = z.object(ofEachKind(() => z.int().nullable()));
export const updateRetentionBody = z.object(ofEachKind(daysOf)).partial();
export type Retention = z.infer<typeof retention>;

const deletion = z.object({ requestedAt: z.iso.datetime(), dueAt: z.iso.datetime() });

export const readPrivacy = contract({
  method: 'GET',
  path: '/api/privacy',
  summary:
    'How long your organization keeps what, who processes it, and whether it is being deleted',
  permission: 'privacy.manage',
  output: {
    200: z.object({
      retention,
      /** Outside services; `host` is null for one that is not set up. */
      processors: z.array(z.object({ id: z.string(), host: z.string().nullable() })),
      deletion: deletion.nullable(),
    }),
  },
});
export type Privacy = z.infer<(typeof readPrivacy.output)[200]>;

export const updateRetention = contract({
  method: 'PUT',
  path: '/api/privacy/retention',
  summary: 'Set how long each kind is kept; what is absent stays as it is',
  permission: 'privacy.manage',
  needsVerifiedAddress: true,
  body: updateRetentionBody,
  output: { 200: retention },
  errors: [400],
});

const guestText = requiredText('Please enter a name or an email address', 254);

/** A member by id, or a guest by a stored name or address. */
export const personQuery = z.object({
  userId: accountId.optional(),
  guest: guestText.optional(),
});
const namesOne = ({ userId, guest }: z.infer<typeof personQuery>) =>
  (userId === undefined) !== (guest === undefined);

export const exportPerson = contract({
  method: 'GET',
  path: '/api/privacy/person',
  summary: 'Everything that your organization holds on a member or a guest, as a JSON file',
  permission: 'privacy.manage',
  query: personQuery,
  output: { 200: null },
  download: ['application/json'],
  errors: [400, 404, 429],
});

export const erasePersonBody = personQuery.refine(namesOne, {
  error: 'Please choose one person',
});
export const erasePerson = contract({
  method: 'POST',
  path: '/api/privacy/erase',
  summary: 'Delete a member’s account or a guest’s traces; what has to stay keeps a pseudonym',
  permission: 'privacy.manage',
  needsVerifiedAddress: true,
  body: erasePersonBody,
  output: { 200: z.object({ erased: z.int() }) },
  errors: [400, 404, 409, 429],
});

export const exportSelf = contract({
  method: 'GET',
  path: '/api/user/export',
  summary: 'Everything that is held on you, as a JSON file',
  permission: 'session',
  output: { 200: null },
  download: ['application/json'],
  errors: [429],
});

export const deleteSelfBody = z.object({
  /** The account's own address, typed as a confirmation. */
  email,
  password: z.string().max(200, 'Password must be at most 200 characters').optional(),
});
export const deleteSelf = contract({
  method: 'POST',
  path: '/api/user/delete',
  summary: 'Delete your account',
  permission: 'session',
  body: deleteSelfBody,
  output: { 204: null },
  errors: [400, 409, 429],
});

export const requestDeletionBody = z.object({
  /** The organization's name, typed as a confirmation. */
  name: requiredText('Please enter your organization’s name', 200),
});
export const requestDeletion = contract({
  method: 'POST',
  path: '/api/organizations/:orgId/deletion',
  summary: 'Have your organization deleted, with all that it has, after seven days',
  permission: 'organization.delete',
  needsVerifiedAddress: true,
  params: z.object({ orgId }),
  body: requestDeletionBody,
  output: { 200: deletion },
  errors: [400, 404, 409],
});

export const cancelDeletion = contract({
  method: 'DELETE',
  path: '/api/organizations/:orgId/deletion',
  summary: 'Keep the organization after all',
  permission: 'organization.delete',
  params: z.object({ orgId }),
  output: { 204: null },
  errors: [404, 409],
});
