import type { SsoTestResult } from '#domain/sso/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { type Arrival, signIn } from '#server/auth/sign-in.ts';
import type { Tenant } from '#server/platform/access.ts';
import type { Services } from '#server/services.ts';
import { admitPerson, checkPerson } from './admit-person.ts';
import { type Asserted, type Checks, SsoRefusal } from './asserted.ts';
import type { ConnectionRow } from './connection-store.ts';
import { type Flow, keepResult } from './flow-store.ts';

/** Signs in the person whom the identity provider authenticated. @throws SsoRefusal */
export async function signInAsserted(
  services: Services,
  tenant: Tenant,
  connection: ConnectionRow,
  { asserted, askedAt }: { asserted: Asserted; askedAt: Date },
  arrival: Arrival & { base: string },
): Promise<void> {
  const { enabledAt } = connection;
  if (enabledAt === null) throw new SsoRefusal('account', 'The connection is off.');
  const admitted = await admitPerson(
    services,
    tenant,
    connection,
    { asserted, askedAt },
    arrival.base,
  );
  const { accountId } = admitted;
  const proof = { ssoOrgId: connection.orgId, connectionId: connection.id, enabledAt, askedAt };
  await signIn(services, arrival, accountId, { method: connection.kind, twoFactors: true }, proof);
}

/** Stores the result of a test, which signs in no one. */
export async function finishTest(
  tenant: Tenant,
  flow: Pick<Flow, 'id'>,
  connection: ConnectionRow,
  asserted: Asserted,
  checks: Checks,
): Promise<void> {
  let person: { email: string | null; role: SsoTestResult['role'] } = {
    email: asserted.email,
    role: null,
  };
  try {
    person = await tenant.connection((tx) => checkPerson(tx, connection, asserted, checks));
    person.role ??= connection.defaultRole;
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error;
    checks.failed(error);
  }
  const claims = Object.entries(asserted.claims).map(([name, values]) => ({ name, values }));
  await keepResult(tenant, flow.id, { checks: checks.done, claims, ...person });
}

/** Stores the result of a test whose response was refused. */
export async function failTest(
  tenant: Tenant,
  flow: Pick<Flow, 'id'>,
  refusal: SsoRefusal,
  checks: Checks,
): Promise<void> {
  checks.failed(refusal);
  await keepResult(tenant, flow.id, { checks: checks.done, claims: [], email: null, role: null });
}

/** Records a failed sign-in in the audit log: the failed check, but never the content of the response. */
export async function noteFailure(
  services: Services,
  tenant: Tenant,
  connection: ConnectionRow,
  refusal: SsoRefusal,
): Promise<void> {
  const { check, message } = refusal;
  services.log.info(
    { connectionId: connection.id, check, reason: message },
    'single sign-on failed',
  );
  await tenant.transaction((tx) =>
    recordEvent(tx, {
      action: 'SSO_SIGN_IN_FAILED',
      entity: 'sso_connection',
      entityId: connection.id,
      metadata: { check },
    }),
  );
}
