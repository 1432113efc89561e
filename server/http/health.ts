import type { Site } from './route.ts';

/** `/healthz`: the process runs. `/readyz`: it can also access its database. */
export function healthRoutes({ http, database }: Site): void {
  const options = { schema: { hide: true }, logLevel: 'silent' as const };
  http.get('/healthz', options, async () => ({ status: 'ok' }));
  http.get('/readyz', options, async (_request, reply) => {
    try {
      await database.connection('outside', ({ query }) => query('select 1', []));
      return { status: 'ok' };
    } catch {
      return reply.code(503).send({ status: 'unavailable', reason: 'database' });
    }
  });
}
