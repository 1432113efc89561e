import { ScimError } from '#domain/scim/error.ts';
import { etagOf } from './user-store.ts';

/**
 * Returns whether a header of entity tags matches this version (RFC 9110, 13.1). Comparison is weak, as the
 * tags are.
 */
export function namesVersion(header: string, resource: { version: number }): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  const own = bare(etagOf(resource));
  return header.split(',').some((tag) => tag.trim() === '*' || bare(tag) === own);
}

/** @throws ScimError 412 if the resource has changed since */
export function refuseStale(resource: { version: number }, ifMatch: string | undefined): void {
  if (ifMatch === undefined || namesVersion(ifMatch, resource)) return;
  throw new ScimError(412, 'It was changed since you read it. Read it again, and try once more.');
}
