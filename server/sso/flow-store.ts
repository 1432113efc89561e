import { randomBytes } from 'node:crypto';
import {
  type AccountId,
  type OrgId,
  orgId,
  type SsoConnectionId,
  type SsoFlowId,
  ssoFlowId,
} from '#domain/ids.ts';
import type { SsoTestResult } from '#domain/sso/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant } from '#server/platform/access.ts';
import { and, eq, gt, isNull, sql } from '#server/platform/drizzle.ts';
import { newId } from '#server/platform/ids.ts';
import { hashToken } from '#server/platform/tokens.ts';
import type { Asserted } from './asserted.ts';
import { ssoConnections, ssoFlows } from './tables.ts';

export type Flow = typeof ssoFlows.$inferSelect;
const lifeMinutes = 10;

/** Inserts a pending sign-in. The identity provider must return its `stateOf`. */
export async function beginFlow(
  tenant: Tenant,
  given: {
    connectionId: SsoConnectionId;
    purpose: 'sign-in' | 'test';
    browser: string;
    next: string | null;
    createdBy: AccountId | null;
  },
): Promise<Flow> {
  const { browser, ...rest } = given;
  const [flow] = await tenant.transaction(async (tx) => {
    if (given.purpose === 'test') {
      const entityId = given.connectionId;
      await recordEvent(tx, {
        action: 'SSO_CONNECTION_TESTED',
        entity: 'sso_connection',
        entityId,
      });
    }
    return tx.db
      .insert(ssoFlows)
      .values({
        id: newId(ssoFlowId),
        orgId: tenant.orgId,
        ...rest,
        browserHash: hashToken(browser),
        nonce: randomBytes(24).toString('base64url'),
        codeVerifier: randomBytes(32).toString('base64url'),
        // By the database's clock, as what ends sign-ins.
        createdAt: sql`now()`,
        expiresAt: sql`now() + make_interval(mins => ${lifeMinutes})`,
      })
      .returning();
  });
  if (!flow) throw new Error('unreachable: what was inserted comes back');
  return flow;
}

/** Returns OIDC's `state` and SAML's RelayState: the flow and its organization. */
export const stateOf = ({ orgId, id }: Pick<Flow, 'orgId' | 'id'>) => `${orgId}.${id}`;

export function readState(
  state: string | null | undefined,
): { orgId: OrgId; id: SsoFlowId } | null {
  const [org, id] = (state ?? '').split('.');
  const read = { orgId: orgId.safeParse(org), id: ssoFlowId.safeParse(id) };
  return read.orgId.success && read.id.success
    ? { orgId: read.orgId.data, id: read.id.data }
    : null;
}

/** SAML request IDs are XML names, which must not begin with a digit. */
export const requestIdOf = ({ id }: Pick<Flow, 'id'>) => `_${id}`;
export function flowOfRequest(requestId: string | null): SsoFlowId | null {
  const read = ssoFlowId.safeParse(requestId?.replace(/^_/, ''));
  return read.success ? read.data : null;
}

/** Returns a flow that is neither expired nor finished. */
export async function findFlow(tenant: Tenant, id: SsoFlowId): Promise<Flow | null> {
  const [flow] = await tenant.connection(({ db }) =>
    db.select().from(ssoFlows).where(open(tenant, id)),
  );
  return flow ?? null;
}

export const isOfBrowser = (flow: Flow, browser: string | undefined) =>
  browser !== undefined && hashToken(browser).equals(flow.browserHash);

/** Finishes the flow, which works once. @returns whether it was still open */
export async function finishFlow(tenant: Tenant, id: SsoFlowId): Promise<boolean> {
  const taken = await tenant.connection(({ db }) =>
    db
      .update(ssoFlows)
      .set({ finishedAt: new Date() })
      .where(open(tenant, id))
      .returning({ id: ssoFlows.id }),
  );
  return taken.length > 0;
}

/**
 * Stores the claims of a SAML response until the browser that began fetches them.
 * @returns false for a second answer
 */
export async function answerFlow(
  tenant: Tenant,
  id: SsoFlowId,
  asserted: Asserted | null,
): Promise<boolean> {
  const taken = await tenant.connection(({ db }) =>
    db
      .update(ssoFlows)
      .set({ asserted, answeredAt: new Date() })
      .where(and(open(tenant, id), isNull(ssoFlows.answeredAt)))
      .returning({ id: ssoFlows.id }),
  );
  return taken.length > 0;
}

export async function keepResult(
  tenant: Tenant,
  id: SsoFlowId,
  result: SsoTestResult,
): Promise<void> {
  await tenant.connection(({ db }) =>
    db
      .update(ssoFlows)
      .set({ result })
      .where(and(eq(ssoFlows.orgId, tenant.orgId), eq(ssoFlows.id, id))),
  );
}

/** Returns a test with the name of its connection. */
export async function findTest(tenant: Tenant, id: SsoFlowId) {
  const [found] = await tenant.connection(({ db }) =>
    db
      .select({ id: ssoFlows.id, connectionName: ssoConnections.name, result: ssoFlows.result })
      .from(ssoFlows)
      .innerJoin(ssoConnections, eq(ssoConnections.id, ssoFlows.connectionId))
      .where(
        and(eq(ssoFlows.orgId, tenant.orgId), eq(ssoFlows.id, id), eq(ssoFlows.purpose, 'test')),
      ),
  );
  return found ?? null;
}

const open = (tenant: Tenant, id: SsoFlowId) =>
  and(
    eq(ssoFlows.orgId, tenant.orgId),
    eq(ssoFlows.id, id),
    isNull(ssoFlows.finishedAt),
    gt(ssoFlows.expiresAt, new Date()),
  );
