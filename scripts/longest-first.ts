import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest, in that order: one that starts last is waited for while the cores are
 * idle. Vitest orders files by how long they took the last time, which a fresh clone does not know,
 * and else by their size, which says little about calls.
 */
const longest = [
  // calls
  'turn.test.ts',
  'network.test.ts',
  'namespaces.test.ts',
  'recording.test.ts',
  'livekit.test.ts',
  'first-week.test.ts',
  // pages
  'accessibility.test.ts',
  'public.test.ts',
  'habits.test.ts',
  'crm.test.ts',
  // server
  'hosted-events.test.ts',
  'hosted-recordings.test.ts',
  'make-picture-safe.test.ts',
  'notes-bounds.test.ts',
  'query-plans.test.ts',
  'examples.test.ts',
  'squatted-organization.test.ts',
  'tenant-wall.test.ts',
  'locked-by-others.test.ts',
];

const rankOf = ({ moduleId }: TestSpecification) => {
  const at = longest.indexOf(basename(moduleId));
  return at === -1 ? longest.length : at;
};

/** Starts the files that take longest before the others, within each project. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) =>
      one.project.name === other.project.name ? rankOf(one) - rankOf(other) : 0,
    );
  }
}
