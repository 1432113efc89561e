import { DomainError } from '#domain/errors.ts';

/** Nobody joins, calls from, or shares an archived room. */
export const roomArchived = () =>
  new DomainError(
    'conflict',
    'room_archived',
    'This room is archived. Restore it on the Rooms page, or open another one.',
  );
