import { badFilter } from './error.ts';
import type { Filter } from './filter.ts';
import type { ResourceType } from './schema.ts';

/** Comparisons that scan every resource and each of its values. Directories send one to three. */
export const mostSearched = 10;

/** Attributes by which directories look up one resource, answered by an index. */
const lookedUp: Record<string, string[]> = {
  User: ['id', 'username', 'externalid'],
  Group: ['id', 'displayname', 'externalid'],
};

/**
 * Returns the number of comparisons in a filter that scan the resources; 0 for a lookup.
 * @throws ScimError 400 invalidFilter past `mostSearched`
 */
export function searchesOf({ name }: ResourceType, filter: Filter): number {
  const count = countIn(filter, lookedUp[name] ?? []);
  if (count <= mostSearched) return count;
  throw badFilter(
    `A filter may compare ${mostSearched} times, besides looking up by id, externalId and name with eq. Ask in several requests.`,
  );
}

function countIn(filter: Filter, names: string[]): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.reduce((sum, part) => sum + countIn(part, names), 0);
    case 'not':
      return Math.max(1, countIn(filter.part, names));
    case 'some':
      // Within brackets a name is a part of each value, so it is never looked up.
      return leavesOf(filter.filter);
    case 'present':
      return 1;
    case 'compare':
      return filter.operator === 'eq' && names.includes(filter.path.name.toLowerCase()) ? 0 : 1;
  }
}

function leavesOf(filter: Filter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.reduce((sum, part) => sum + leavesOf(part), 0);
    case 'not':
      return leavesOf(filter.part);
    case 'some':
      return leavesOf(filter.filter);
    default:
      return 1;
  }
}
