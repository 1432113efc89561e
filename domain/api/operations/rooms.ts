import { mintEmbedToken } from '#domain/embedding/contract.ts';
import {
  changeGuestAccess,
  createLink,
  listLinks,
  readGuestAccess,
  revokeLink,
} from '#domain/links/contract.ts';
import {
  archiveRoom,
  createRoom,
  listRooms,
  readGuestLink,
  readRoom,
  renewGuestLink,
  restoreRoom,
  updateRoom,
} from '#domain/rooms/contract.ts';
import type { Operations } from './operation.ts';

export const roomOperations = {
  listRooms: {
    contract: listRooms,
    chapter: 'Rooms',
    summary: 'List rooms',
    description: 'Returns active rooms, newest first. `status=archived` returns archived ones.',
    example: { query: { limit: '20' } },
  },
  createRoom: {
    contract: createRoom,
    chapter: 'Rooms',
    summary: 'Create a room',
    description:
      'Creates a room. With `playbookId`, its calls begin with that checklist. With `lobby`, guests wait until a member admits them.',
    example: { body: { topic: 'Kick-off with Acme' } },
  },
  readRoom: {
    contract: readRoom,
    chapter: 'Rooms',
    summary: 'Read a room',
    description: 'Returns one room, active or archived.',
  },
  updateRoom: {
    contract: updateRoom,
    chapter: 'Rooms',
    summary: 'Update a room',
    description:
      'Changes the fields that are sent. `null` removes the playbook or the customer’s address. Running calls keep their checklist.',
    example: { body: { topic: 'Renewal with Acme' } },
  },
  archiveRoom: {
    contract: archiveRoom,
    chapter: 'Rooms',
    summary: 'Archive a room',
    description: 'Removes a room from the list. No one can join it until it is restored.',
  },
  restoreRoom: {
    contract: restoreRoom,
    chapter: 'Rooms',
    summary: 'Restore a room',
    description: 'Makes an archived room active again, with its former links.',
  },
  readGuestLink: {
    contract: readGuestLink,
    chapter: 'Guest links',
    summary: 'Read the guest link of a room',
    description: 'Returns the main link by which customers join. It does not expire.',
  },
  renewGuestLink: {
    contract: renewGuestLink,
    chapter: 'Guest links',
    summary: 'Replace the guest link of a room',
    description: 'Creates a new main link. The former one stops working immediately.',
  },
  listLinks: {
    contract: listLinks,
    chapter: 'Guest links',
    summary: 'List named guest links',
    description: 'Returns the links of a room in addition to its main one, newest first.',
  },
  createLink: {
    contract: createLink,
    chapter: 'Guest links',
    summary: 'Create a named guest link',
    description:
      'Creates another link to a room. It can expire, at a time or after a number of days, and it can be for one guest only.',
    example: { body: { name: 'For Acme', expiresInDays: 7 } },
  },
  revokeLink: {
    contract: revokeLink,
    chapter: 'Guest links',
    summary: 'Revoke a named guest link',
    description: 'Ends a link immediately. It stays in the list as revoked.',
  },
  readGuestAccess: {
    contract: readGuestAccess,
    chapter: 'Guest links',
    summary: 'Read guest access',
    description: 'Returns the opening hours of a room and the text that waiting guests see.',
  },
  changeGuestAccess: {
    contract: changeGuestAccess,
    chapter: 'Guest links',
    summary: 'Change guest access',
    description:
      'Changes opening hours or the waiting text; `null` removes one. Running calls are not interrupted.',
    example: { body: { waitingText: 'We’ll be with you in a moment.' } },
  },
  mintEmbedToken: {
    contract: mintEmbedToken,
    chapter: 'Embedding',
    summary: 'Create an embed token',
    description:
      'Creates a token with which one person of your product joins a room in a frame. It admits once, within minutes. Takes a token of the organization.',
    example: { body: { displayName: 'Helen Okafor', externalId: 'user-4711', admitted: true } },
  },
} as const satisfies Operations;
