import { ScimError } from '#domain/scim/error.ts';
import { etagOf } from './user-store.ts';

/** Whether a header of entity tags names this version (RFC 9110, 13.1). Ours are weak, and compared so. */
export function namesVersion(header: string, resource: { version: number }): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  const own = bare(etagOf(resource));
  return header.split(',').some((tag) => tag.trim() === '*' || bare(tag) === own);
}

/** @throws ScimError 412 when somebody changed it since */
export function refuseStale(resource: { version: number }, ifMatch: string | undefined): void {
  if (ifMatch === undefined || namesVersion(ifMatch, resource)) return;
  throw new ScimError(412, 'It was changed since you read it. Read it again, and try once more.');
}
