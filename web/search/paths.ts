/** Returns the page of a search; parameters without a value are left out. */
export function searchPath(params: Record<string, string | undefined> = {}): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  );
  const query = new URLSearchParams(given).toString();
  return query ? `/app/search?${query}` : '/app/search';
}
