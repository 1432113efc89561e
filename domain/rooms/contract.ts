import { z } from 'zod';
import { email } from '#domain/auth/contract.ts';
import { contract } from '#domain/contract.ts';
import { callId, playbookId, roomId } from '#domain/ids.ts';
import { joinLimit } from '#domain/links/join-limit.ts';
import { organizationBrand } from '#domain/organizations/contract.ts';
import { pageQuery, searchText } from '#domain/paging.ts';
import { checklistItem } from '#domain/playbooks/contract.ts';

/** An archived room has a record of who archived it and when. Restoring deletes the record. */
export const roomStatus = z.enum(['active', 'archived']);

const person = z.object({ firstName: z.string(), email: z.string() });

export const room = z.object({
  id: roomId,
  topic: z.string(),
  status: roomStatus,
  createdAt: z.iso.datetime(),
  createdBy: person.nullable(),
  archivedAt: z.iso.datetime().nullable(),
  archivedBy: person.nullable(),
  /** Since when guests wait in a lobby until they are admitted; null if they join immediately. */
  lobbySince: z.iso.datetime().nullable(),
  playbookId: playbookId.nullable(),
  playbook: z.object({ id: playbookId, title: z.string() }).nullable(),
  /** The newest calls of the room, at most 20; `callCount` is the number of all. */
  calls: z.array(z.object({ id: callId })),
  callCount: z.int(),
  /** Whom the room is for; CRMs get its calls for this contact. Absent if it is not set. */
  customerEmail: z.string().optional(),
  /** Sample data: no call can be held in it, and its calls count in no figure. */
  sample: z.literal(true).optional(),
});
export type Room = z.infer<typeof room>;

/**
 * One room as it is opened. `dailyUrl` is the URL of the call's page, whichever engine serves it.
 * `meetingToken` is created for this person and this request, valid for five minutes and for this
 * room only (docs/product-decisions.md).
 */
export const openedRoom = room.extend({
  playbook: z
    .object({ id: playbookId, title: z.string(), checklistItems: z.array(checklistItem) })
    .nullable(),
  dailyUrl: z.string(),
  meetingToken: z.string(),
  /**
   * Present if the page of `dailyUrl` is hosted and has the provider's token: the meeting token for
   * the WebSocket of checklist, notes and presence.
   */
  panelToken: z.string().optional(),
});
export type OpenedRoom = z.infer<typeof openedRoom>;

/** Spec section 5, Create room. The choice 'none' is sent as absent. */
export const createRoomBody = z.object({
  topic: z
    .string({ error: 'Topic is required' })
    .trim()
    .min(1, 'Topic is required')
    .max(200, 'Please use at most 200 characters'),
  playbookId: playbookId.optional(),
  /** Guests wait until staff admit them. Off when absent. */
  lobby: z.boolean().optional(),
});

/** Absent fields stay unchanged; null removes the playbook, or the customer's address. */
export const updateRoomBody = z.object({
  topic: createRoomBody.shape.topic.optional(),
  playbookId: playbookId.nullable().optional(),
  lobby: z.boolean().optional(),
  customerEmail: email.nullable().optional(),
});

/** Active rooms by default. `search` matches anywhere in the topic. */
export const roomQuery = pageQuery.extend({
  status: roomStatus.default('active'),
  search: searchText.optional(),
});
export type RoomQuery = z.infer<typeof roomQuery>;

export const guestLink = z.object({
  /** Absolute URL for a customer: `<PUBLIC_URL>/join/<token>`. */
  url: z.string(),
  createdAt: z.iso.datetime(),
});
export type GuestLink = z.infer<typeof guestLink>;

/** The data that a customer's page shows before joining, and the token that it joins with. */
export const guestInvitation = z.object({
  organization: organizationBrand,
  room: z.object({ id: roomId, topic: z.string() }),
  dailyUrl: z.string(),
  meetingToken: z.string(),
});
export type GuestInvitation = z.infer<typeof guestInvitation>;

const byId = z.object({ id: roomId });

export const listRooms = contract({
  method: 'GET',
  path: '/api/rooms',
  summary: 'Rooms, newest first',
  permission: 'rooms.read',
  scope: 'rooms:read',
  query: roomQuery,
  output: { 200: z.array(room) },
});

export const openRoom = contract({
  method: 'GET',
  path: '/api/rooms/:id',
  summary: 'One room, with the address and token to join its call',
  permission: 'rooms.read',
  params: byId,
  output: { 200: openedRoom },
  errors: [404, 409],
});

export const readRoom = contract({
  method: 'GET',
  path: '/api/rooms/:id/summary',
  summary: 'One room as the list has it, archived or not',
  permission: 'rooms.read',
  scope: 'rooms:read',
  params: byId,
  output: { 200: room },
  errors: [404],
});

export const createRoom = contract({
  method: 'POST',
  path: '/api/rooms',
  summary: 'Make a room',
  permission: 'rooms.create',
  stores: true,
  scope: 'rooms:write',
  body: createRoomBody,
  output: { 201: room },
  errors: [400, 404, 409],
});

export const updateRoom = contract({
  method: 'PATCH',
  path: '/api/rooms/:id',
  summary:
    'Change a room’s topic, playbook, lobby or customer; calls keep the checklist they began with',
  permission: 'rooms.update',
  scope: 'rooms:write',
  params: byId,
  body: updateRoomBody,
  output: { 200: room },
  errors: [400, 404, 409],
});

export const archiveRoom = contract({
  method: 'PUT',
  path: '/api/rooms/:id/archive',
  summary: 'Archive a room: it leaves the list, and nobody joins it',
  permission: 'rooms.archive',
  scope: 'rooms:write',
  params: byId,
  output: { 200: room },
  errors: [404, 409],
});

export const restoreRoom = contract({
  method: 'DELETE',
  path: '/api/rooms/:id/archive',
  summary: 'Bring an archived room back',
  permission: 'rooms.archive',
  scope: 'rooms:write',
  params: byId,
  output: { 200: room },
  errors: [404],
});

export const readGuestLink = contract({
  method: 'GET',
  path: '/api/rooms/:id/guest-link',
  summary: 'The link by which a customer joins',
  permission: 'rooms.share',
  scope: 'rooms:write',
  params: byId,
  output: { 200: guestLink },
  errors: [404, 409],
});

export const renewGuestLink = contract({
  method: 'POST',
  path: '/api/rooms/:id/guest-link',
  summary: 'Make a new guest link; the old one stops working',
  permission: 'rooms.share',
  scope: 'rooms:write',
  params: byId,
  output: { 201: guestLink },
  errors: [404, 409],
});

export const readGuestInvitation = contract({
  method: 'GET',
  path: '/api/join/:token',
  rateLimit: joinLimit,
  summary: 'What a guest link leads to, with a token to join with',
  permission: 'public',
  params: z.object({ token: z.string().max(200) }),
  output: { 200: guestInvitation },
  errors: [404, 409, 410, 429],
});
