import { DomainError } from '#domain/errors.ts';

/** An opaque tag with its quotation marks, and the mark of a weak one (RFC 9110, 8.8.3). */
const entityTags = /(?:W\/)?"[^"]*"/g;
const isAny = (header: string) => header.trim() === '*';
const tagsIn = (header: string): string[] => header.match(entityTags) ?? [];
const opaque = (tag: string) => tag.replace(/^W\//, '');

/** Returns whether `If-Match` names this strong tag: weak ones never do (RFC 9110, 13.1.1). */
export const namesStrongly = (header: string, tag: string): boolean =>
  isAny(header) || tagsIn(header).includes(tag);

/** Returns whether `If-None-Match` names this tag, weak or strong (RFC 9110, 13.1.2). */
export const namesWeakly = (header: string, tag: string): boolean =>
  isAny(header) || tagsIn(header).some((one) => opaque(one) === opaque(tag));

export const changedSinceRead = () =>
  new DomainError(
    'precondition_failed',
    'changed_since_read',
    'This was changed since you read it, so nothing was saved. Read it again, and send your change with the new ETag.',
  );

/** `If-Match` was sent to a change of something that no GET answers with a tag. */
export const hasNoEntityTag = () =>
  new DomainError(
    'precondition_failed',
    'no_entity_tag',
    'This has no ETag, so nothing was changed. Send the request without If-Match.',
  );
