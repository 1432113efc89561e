import { DomainError } from '#domain/errors.ts';

/** Returns the error for joining, calling from, or sharing an archived room. */
export const roomArchived = () =>
  new DomainError(
    'conflict',
    'room_archived',
    'This room is archived. Restore it on the Rooms page, or open another one.',
  );

/** Returns the error for joining, calling from, or sharing a sample room. */
export const roomIsSample = () =>
  new DomainError(
    'conflict',
    'room_is_sample',
    'This is a sample room, so you can’t hold calls in it. Create a room of your own.',
  );
