import type { Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';

/** Calls that one transaction indexes. Their notes cannot be changed meanwhile. */
const atOnce = 5;
/** Of the minute until the job runs again. */
const longestRunMs = 40_000;

const indexPending: Statement = {
  name: 'index_pending_texts',
  text: 'select search_index_pending($1) as indexed',
};

/** Indexes the notes of ended calls, and what is from before there was an index. */
export function searchJobs(services: Services): void {
  services.jobs.define('search-index', { everyCron: '* * * * *' }, async () => {
    await indexPendingTexts(services);
  });
}

export async function indexPendingTexts({ database }: Pick<Services, 'database'>): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < longestRunMs) {
    const [row] = await database.connection('outside', ({ run }) =>
      run<{ indexed: number }>(indexPending, [atOnce]),
    );
    if (!row || row.indexed === 0) return;
  }
}
