import type { Site } from './route.ts';

/** `/healthz`: the process runs. `/readyz`: it can also access its database. */
export function healthRoutes({ http, database }: Site): void {
  /** Anyone may ask, so who asks at the same time shares one look. */
  let looking: Promise<unknown> | null = null;
  const look = () => {
    looking ??= database
      // In no turns: the first who asks may be of a network whose turns are used up.
      .connection('outside', ({ query }) => query('select 1', []), { isProved: true })
      .finally(() => {
        looking = null;
      });
    return looking;
  };
  const options = { schema: { hide: true }, logLevel: 'silent' as const };
  http.get('/healthz', options, async () => ({ status: 'ok' }));
  http.get('/readyz', options, async (_request, reply) => {
    try {
      await look();
      return { status: 'ok' };
    } catch {
      return reply.code(503).send({ status: 'unavailable', reason: 'database' });
    }
  });
}
