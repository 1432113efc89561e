import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { CrmVendor } from '#domain/crm/mapping.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Statement } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { sealToken, unsealToken } from './tokens.ts';

const lifeMinutes = 10;
/** Of one session; the oldest is forgotten. */
const mostFlows = 5;
const flowId = z.uuid();

const forgetOldest: Statement = {
  name: 'forget_oldest_crm_flows',
  text: `delete from crm_flows where org_id = $1 and session_id = $2 and id not in (
    select id from crm_flows where org_id = $1 and session_id = $2 order by id desc limit ${mostFlows - 1})`,
};
const insertFlow: Statement = {
  name: 'insert_crm_flow',
  text: `insert into crm_flows
      (id, org_id, vendor, session_id, state_hash, verifier_sealed, redirect_uri, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, now() + interval '${lifeMinutes} minutes')`,
};
const markTaken: Statement = {
  name: 'take_crm_flow',
  text: `update crm_flows set taken_at = now()
    where org_id = $1 and vendor = $2 and session_id = $3 and state_hash = $4 and expires_at > now()
      and taken_at is null
    returning id, verifier_sealed as "verifierSealed", redirect_uri as "redirectUri"`,
};
const deleteTaken: Statement = {
  name: 'end_crm_flow',
  text: 'delete from crm_flows where org_id = $1 and id = $2 and taken_at is not null returning id',
};
const deleteOfVendor: Statement = {
  name: 'cancel_crm_flows',
  text: 'delete from crm_flows where org_id = $1 and vendor = $2',
};

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

interface FlowKey {
  vendor: CrmVendor;
  sessionId: string;
}

/** Begins an authorization, which only the same session of the same organization can finish. */
export async function beginFlow(
  tenant: Tenant,
  secrets: Secrets,
  { vendor, sessionId, redirectUri }: FlowKey & { redirectUri: string },
): Promise<{ state: string; challenge: string }> {
  const [id, state, verifier] = [newId(flowId), randomToken(), randomToken()];
  await tenant.transaction(async ({ run }) => {
    await run(forgetOldest, [tenant.orgId, sessionId]);
    const sealed = sealToken(secrets, id, verifier);
    const keys = [id, tenant.orgId, vendor, sessionId];
    await run(insertFlow, [...keys, hashToken(state), sealed, redirectUri]);
  });
  return { state, challenge: challengeOf(verifier) };
}

const randomToken = () => randomBytes(32).toString('base64url');

/**
 * Takes the flow of a state, which works once. Null if it is unknown here, used, or expired. Its row stays until
 * `endFlow`, so that a Disconnect meanwhile cancels it.
 */
export async function takeFlow(
  tenant: Tenant,
  secrets: Secrets,
  { vendor, sessionId, state }: FlowKey & { state: string },
): Promise<{ id: string; verifier: string; redirectUri: string } | null> {
  const [row] = await tenant.connection(({ run }) =>
    run<{ id: string; verifierSealed: string; redirectUri: string }>(markTaken, [
      ...[tenant.orgId, vendor, sessionId, hashToken(state)],
    ]),
  );
  if (!row) return null;
  const verifier = unsealToken(secrets, row.id, row.verifierSealed);
  return { id: row.id, verifier, redirectUri: row.redirectUri };
}

/** Ends a flow with the connection that it makes. @returns false if it was canceled since it was taken */
export const endFlow = async ({ run, tenant }: TenantConnection, id: string): Promise<boolean> =>
  (await run(deleteTaken, [tenant.orgId, id])).length > 0;

/** Cancels all flows of a vendor, also those that are about to make a connection. */
export const cancelFlows = ({ run, tenant }: TenantConnection, vendor: CrmVendor) =>
  run(deleteOfVendor, [tenant.orgId, vendor]);
