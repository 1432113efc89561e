import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { createRoom, listRooms } from '#domain/rooms/contract.ts';
import { insertEvent } from '#server/audit/record-event.ts';
import { readConfig } from '#server/config.ts';
import { answer, publicRoute, type Site, sessionRoute, tenantRoute } from '#server/http/route.ts';
import { openServices } from '#server/open-services.ts';
import { type Tenant, tenantOf } from '#server/platform/access.ts';
import { type Database, openDatabase } from '#server/platform/database.ts';
import { nextPage } from '#server/platform/paging.ts';
import { serializerCompiler } from '#server/platform/serialize.ts';
import * as rooms from '#server/rooms/store.ts';
import { listening } from './listening.ts';

/**
 * Serves the list of rooms and the creation of a room in one program: as Rapport does, and without
 * the measured check. `unchecked-rooms` requires a session but neither permission nor tenant,
 * `unasked-rooms` not even a session. The handlers and stores are Rapport's own, so that nothing
 * else differs.
 */
const { orgId } = JSON.parse(process.env.BENCH_ACCOUNT ?? '{}');
const services = await openServices(readConfig(process.env), () => {});

/** Returns a database without restrictions: a superuser bypasses row-level security, and no tenant is set. */
function unwalled(): Database {
  const config = JSON.parse(process.env.BENCH_OWNER ?? '{}');
  const database = openDatabase(config, services.log);
  return { ...database, connection: (_tenant, use) => database.connection('outside', use) };
}

/** Returns a tenant whose transactions leave out the audit row, and nothing else. */
const unaudited = (tenant: Tenant): Tenant => ({
  ...tenant,
  transaction: (use) =>
    tenant.transaction((tx) =>
      use({
        ...tx,
        run: (statement, values) =>
          statement === insertEvent ? Promise.resolve([]) : tx.run(statement, values),
      }),
    ),
});

const http: FastifyInstance = Fastify();
http.setValidatorCompiler(validatorCompiler);
http.setSerializerCompiler(serializerCompiler(false));
await http.register(cookie);
const site: Site = { ...services, http };
const anybody = tenantOf(unwalled(), { kind: 'system', name: 'bench', orgId }, null);

tenantRoute(site, listRooms, async ({ tenant, query, request }) => {
  const body = await rooms.listRooms(tenant, query);
  return answer(200, body, nextPage(request, query, body));
});
const unchecked = { ...listRooms, path: '/api/unchecked-rooms', permission: 'session' } as const;
sessionRoute(site, unchecked, async ({ query, request }) => {
  const body = await rooms.listRooms(anybody, query);
  return answer(200, body, nextPage(request, query, body));
});
const unasked = { ...listRooms, path: '/api/unasked-rooms', permission: 'public' } as const;
publicRoute(site, unasked, async ({ query, request }) => {
  const body = await rooms.listRooms(anybody, query);
  return answer(200, body, nextPage(request, query, body));
});

tenantRoute(site, createRoom, async ({ tenant, body }) =>
  answer(201, await rooms.createRoom(tenant, body)),
);
tenantRoute(site, { ...createRoom, path: '/api/unaudited-rooms' }, async ({ tenant, body }) =>
  answer(201, await rooms.createRoom(unaudited(tenant), body)),
);

await http.ready();
listening(http.server);
