import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { guestLinkId, orgId, roomId } from '#domain/ids.ts';
import { organizationBrand } from '#domain/organizations/contract.ts';
import { pageQuery } from '#domain/paging.ts';
import { keptOpeningHours, openingHours } from '#domain/rooms/opening-hours.ts';
import { requiredText } from '#domain/text.ts';
import { joinLimit } from './join-limit.ts';
import { slug } from './slug.ts';

/** Characters of the text for waiting guests. */
export const longestWaitingText = 500;
/** Links of one room, in addition to its main one, that are valid at the same time. */
export const mostValidLinks = 50;

export const linkStates = ['valid', 'expired', 'used', 'revoked'] as const;
const person = z.object({ firstName: z.string(), email: z.string() });

/** A guest link in addition to a room's main one. It has a name, and may expire. */
export const namedLink = z.object({
  id: guestLinkId,
  roomId,
  name: z.string(),
  url: z.string(),
  state: z.enum(linkStates),
  createdAt: z.iso.datetime(),
  createdBy: person.nullable(),
  /** Null for a link that never expires. */
  expiresAt: z.iso.datetime().nullable(),
  /** Admits one guest, who keeps the place across reloads. */
  singleUse: z.boolean(),
  /** Guests who joined by it. */
  useCount: z.int(),
  revokedAt: z.iso.datetime().nullable(),
});
export type NamedLink = z.infer<typeof namedLink>;

/** Without `expiresAt` and `expiresInDays` it never expires. */
export const createLinkBody = z
  .object({
    name: requiredText('Please name the link', 80),
    expiresAt: z.iso.datetime({ error: 'Please choose a date' }).optional(),
    expiresInDays: z
      .int({ error: 'Please enter 1 to 365 days' })
      .min(1, 'Please enter 1 to 365 days')
      .max(365, 'Please enter 1 to 365 days')
      .optional(),
    singleUse: z.boolean().default(false),
  })
  .refine(({ expiresAt, expiresInDays }) => !expiresAt || !expiresInDays, {
    message: 'Please choose a date or a number of days, not both',
    path: ['expiresInDays'],
  });

const waitingText = z
  .string()
  .trim()
  .max(longestWaitingText, `Please use at most ${longestWaitingText} characters`)
  .transform((text) => text || null)
  .nullable();

export const guestAccess = z.object({
  /** Null: guests may join at any time. */
  openingHours: keptOpeningHours.nullable(),
  /** The text for waiting guests; null uses the organization's. */
  waitingText: z.string().nullable(),
  organizationWaitingText: z.string().nullable(),
});
export type GuestAccess = z.infer<typeof guestAccess>;

/** Absent fields stay unchanged; null removes a value. */
export const changeGuestAccessBody = z.object({
  openingHours: openingHours.nullable().optional(),
  waitingText: waitingText.optional(),
});

export const roomOpening = z.object({
  organization: organizationBrand,
  room: z.object({ topic: z.string() }),
  isOpen: z.boolean(),
  /**
   * The next time that the room opens; null while it is open, or if it does not open in the
   * foreseeable future.
   */
  opensAt: z.iso.datetime().nullable(),
  closesAt: z.iso.datetime().nullable(),
  /** The server's clock, for pages whose own is wrong. */
  now: z.iso.datetime(),
});
export type RoomOpening = z.infer<typeof roomOpening>;

export const personalRoom = z.object({
  roomId,
  topic: z.string(),
  slug: z.string(),
  /** `<PUBLIC_URL>/meet-me/<slug>` */
  url: z.string(),
});
export type PersonalRoom = z.infer<typeof personalRoom>;

const ofRoom = z.object({ id: roomId });

export const listLinks = contract({
  method: 'GET',
  path: '/api/rooms/:id/guest-links',
  summary: 'A room’s named guest links, newest first',
  permission: 'rooms.share',
  scope: 'rooms:write',
  params: ofRoom,
  query: pageQuery,
  output: { 200: z.array(namedLink) },
  errors: [404],
});

export const createLink = contract({
  method: 'POST',
  path: '/api/rooms/:id/guest-links',
  summary: 'Make a guest link with a name, which may expire or be for one guest',
  permission: 'rooms.share',
  stores: true,
  scope: 'rooms:write',
  params: ofRoom,
  body: createLinkBody,
  output: { 201: namedLink },
  errors: [400, 404, 409],
});

export const revokeLink = contract({
  method: 'DELETE',
  path: '/api/guest-links/:id',
  summary: 'Withdraw a named guest link at once',
  permission: 'rooms.share',
  scope: 'rooms:write',
  params: z.object({ id: guestLinkId }),
  output: { 200: namedLink },
  errors: [404],
});

export const readGuestAccess = contract({
  method: 'GET',
  path: '/api/rooms/:id/guest-access',
  summary: 'When a room is open to guests, and what they read while they wait',
  permission: 'rooms.share',
  scope: 'rooms:write',
  params: ofRoom,
  output: { 200: guestAccess },
  errors: [404],
});

export const changeGuestAccess = contract({
  method: 'PUT',
  path: '/api/rooms/:id/guest-access',
  summary: 'Change a room’s opening hours or waiting text; a running call is never cut by them',
  permission: 'rooms.update',
  scope: 'rooms:write',
  params: ofRoom,
  body: changeGuestAccessBody,
  output: { 200: guestAccess },
  errors: [400, 404],
});

const organizationWaitingText = z.object({ waitingText: z.string().nullable() });

export const readWaitingText = contract({
  method: 'GET',
  path: '/api/organizations/:orgId/waiting-text',
  summary: 'What waiting guests read in rooms that say nothing of their own',
  permission: 'organization.read',
  params: z.object({ orgId }),
  output: { 200: organizationWaitingText },
  errors: [404],
});

export const changeWaitingText = contract({
  method: 'PUT',
  path: '/api/organizations/:orgId/waiting-text',
  summary: 'Change the waiting text of rooms that have none of their own',
  permission: 'organization.update',
  params: z.object({ orgId }),
  body: z.object({ waitingText }),
  output: { 200: organizationWaitingText },
  errors: [400, 404],
});

export const readRoomOpening = contract({
  method: 'GET',
  path: '/api/join/:token/opening',
  rateLimit: joinLimit,
  summary: 'Whether a guest link’s room is open now, and when it opens next',
  permission: 'public',
  params: z.object({ token: z.string().max(200) }),
  output: { 200: roomOpening },
  errors: [404, 410, 429],
});

export const readPersonalRoom = contract({
  method: 'GET',
  path: '/api/personal-room',
  summary: 'Your personal room, made on the first asking',
  permission: 'rooms.share',
  output: { 200: personalRoom },
});

export const renamePersonalRoom = contract({
  method: 'PUT',
  path: '/api/personal-room',
  summary: 'Choose the address of your personal room; the one before leads there for 30 days',
  permission: 'rooms.share',
  body: z.object({ slug }),
  output: { 200: personalRoom },
  errors: [400, 409, 429],
});
