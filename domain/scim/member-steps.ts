import type { AccountId } from '#domain/ids.ts';

/** A change of a group's members. The group may be too large to be read for each change. */
export interface MemberStep {
  kind: 'add' | 'remove' | 'replace';
  ids: AccountId[];
}

/**
 * Merges consecutive steps into one replacement, or into one removal and one addition of different
 * people, so that a thousand steps cost as many statements as one.
 */
export function mergeSteps(steps: readonly MemberStep[]): MemberStep[] {
  let isWhole = false;
  let added = new Set<AccountId>();
  let removed = new Set<AccountId>();
  for (const { kind, ids } of steps) {
    if (kind === 'replace') {
      isWhole = true;
      added = new Set(ids);
      removed = new Set();
      continue;
    }
    const [to, from] = kind === 'add' ? [added, removed] : [removed, added];
    for (const id of ids) {
      to.add(id);
      from.delete(id);
    }
  }
  if (isWhole) return [{ kind: 'replace', ids: [...added] }];
  return [
    { kind: 'remove' as const, ids: [...removed] },
    { kind: 'add' as const, ids: [...added] },
  ].filter(({ ids }) => ids.length > 0);
}
