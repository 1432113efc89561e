import type { Database, Statement } from '#server/platform/database.ts';
import type { Services } from '#server/services.ts';

const forget: Statement = {
  name: 'forget_embed_tokens',
  text: 'select forget_embed_tokens($1)',
};

export function embeddingJobs({ jobs, database }: Services): void {
  jobs.define('embed-tokens-forget', { everyCron: '*/10 * * * *' }, () =>
    forgetEmbedTokens(database, new Date()),
  );
}

/** Deletes tokens that expired an hour ago: until then, a page can say why its token is refused. */
export async function forgetEmbedTokens(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 3_600_000);
  await database.connection('outside', ({ run }) => run(forget, [before]));
}
