import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { callId, playbookId, roomId } from '#domain/ids.ts';
import { joinLimit } from '#domain/links/join-limit.ts';
import { organizationBrand } from '#domain/organizations/contract.ts';
import { pageQuery, searchText } from '#domain/paging.ts';
import { checklistItem } from '#domain/playbooks/contract.ts';

/** A room is archived by a record of who and when; restoring takes the record away. */
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
  /** Since when guests wait in a lobby until somebody lets them in; null where they come straight in. */
  lobbySince: z.iso.datetime().nullable(),
  playbookId: playbookId.nullable(),
  playbook: z.object({ id: playbookId, title: z.string() }).nullable(),
  /** The newest calls of the room, 100 at most; `callCount` is the whole number. */
  calls: z.array(z.object({ id: callId })),
  callCount: z.int(),
});
export type Room = z.infer<typeof room>;

/**
 * One room as it is opened. `dailyUrl` is the address that the call is loaded from, whichever
 * engine serves it. `meetingToken` is minted for this person and this request, good for five
 * minutes and this room alone (docs/product-decisions.md).
 */
export const openedRoom = room.extend({
  playbook: z
    .object({ id: playbookId, title: z.string(), checklistItems: z.array(checklistItem) })
    .nullable(),
  dailyUrl: z.string(),
  meetingToken: z.string(),
  /**
   * There where the page of `dailyUrl` is hosted, with a token of its own: ours, for the line that
   * carries checklist, notes and presence.
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
  /** Guests wait until somebody of the team lets them in. Off when it is absent. */
  lobby: z.boolean().optional(),
});

/** What is absent stays as it is; `playbookId: null` takes the playbook away. */
export const updateRoomBody = z.object({
  topic: createRoomBody.shape.topic.optional(),
  playbookId: playbookId.nullable().optional(),
  lobby: z.boolean().optional(),
});

/** The active ones unless asked otherwise. `search` is looked for anywhere in the topic. */
export const roomQuery = pageQuery.extend({
  status: roomStatus.default('active'),
  search: searchText.optional(),
});
export type RoomQuery = z.infer<typeof roomQuery>;

export const guestLink = z.object({
  /** Absolute address that a customer opens: `<PUBLIC_URL>/join/<token>`. */
  url: z.string(),
  createdAt: z.iso.datetime(),
});
export type GuestLink = z.infer<typeof guestLink>;

/** What a customer's page shows before joining, and what it joins with. */
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

export const createRoom = contract({
  method: 'POST',
  path: '/api/rooms',
  summary: 'Make a room',
  permission: 'rooms.create',
  body: createRoomBody,
  output: { 201: room },
  errors: [400, 404, 409],
});

export const updateRoom = contract({
  method: 'PATCH',
  path: '/api/rooms/:id',
  summary: 'Change a room’s topic, playbook or lobby; calls keep the checklist they began with',
  permission: 'rooms.update',
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
  params: byId,
  output: { 200: room },
  errors: [404, 409],
});

export const restoreRoom = contract({
  method: 'DELETE',
  path: '/api/rooms/:id/archive',
  summary: 'Bring an archived room back',
  permission: 'rooms.archive',
  params: byId,
  output: { 200: room },
  errors: [404],
});

export const readGuestLink = contract({
  method: 'GET',
  path: '/api/rooms/:id/guest-link',
  summary: 'The link by which a customer joins',
  permission: 'rooms.share',
  params: byId,
  output: { 200: guestLink },
  errors: [404, 409],
});

export const renewGuestLink = contract({
  method: 'POST',
  path: '/api/rooms/:id/guest-link',
  summary: 'Make a new guest link; the old one stops working',
  permission: 'rooms.share',
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
