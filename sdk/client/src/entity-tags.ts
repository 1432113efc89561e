const tags = new WeakMap<object, string>();

/** Remembers the ETag of an answer for its body. */
export function keepEtag<T>(body: T, headers: Headers): T {
  const tag = headers.get('etag');
  if (tag !== null && typeof body === 'object' && body !== null) tags.set(body, tag);
  return body;
}

/**
 * Returns the ETag of what an operation returned, for `ifMatch`.
 * @throws TypeError for anything else, and for an answer without a tag
 */
export function etagOf(result: object): string {
  const tag = tags.get(result);
  if (tag === undefined) throw new TypeError('No answer with an ETag had this object');
  return tag;
}
