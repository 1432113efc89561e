import { Checks, SsoRefusal } from './asserted.ts';
import { addressesOf } from './connection-store.ts';
import { failTest, finishTest, noteFailure, signInAsserted } from './finish-flow.ts';
import { findFlow, finishFlow, isOfBrowser, readState } from './flow-store.ts';
import type { Landing } from './landing.ts';
import { landingPath, testPath } from './landing-path.ts';
import { discover, readAnswer } from './oidc.ts';
import { oidcSettings } from './start-flow.ts';

/**
 * Handles the redirect back from an OpenID provider. Only the browser that began the sign-in can finish it,
 * once.
 * @returns the path to redirect the browser to
 * @throws SsoRefusal
 */
export async function finishOidc(landing: Landing): Promise<string> {
  const { site, tenant, connection, base, request, browser } = landing;
  const { answerUrl } = addressesOf(connection, base);
  const answeredAt = new URL(`${answerUrl}?${request.url.split('?')[1] ?? ''}`);
  const state = readState(answeredAt.searchParams.get('state'));
  const flow = state?.orgId === tenant.orgId ? await findFlow(tenant, state.id) : null;
  const isOurs = flow?.connectionId === connection.id && isOfBrowser(flow, browser);
  if (!flow || !isOurs || !(await finishFlow(tenant, flow.id))) {
    throw new SsoRefusal('request', 'This browser asked for no such sign-in, or it took too long.');
  }
  const checks = new Checks();
  try {
    const issuer = await discover(oidcSettings(site, connection), site.outside.fetch);
    const asserted = await readAnswer(issuer, flow, answeredAt, checks);
    if (flow.purpose === 'test') {
      await finishTest(tenant, flow, connection, asserted, checks);
      return testPath(flow.id);
    }
    await signInAsserted(site, tenant, connection, { asserted, askedAt: flow.createdAt }, landing);
    return landingPath(flow.next);
  } catch (error) {
    const refusal = asRefusal(error);
    if (flow.purpose === 'test') {
      await failTest(tenant, flow, refusal, checks);
      return testPath(flow.id);
    }
    await noteFailure(site, tenant, connection, refusal);
    throw refusal;
  }
}

/** The issuer may have become unreachable since the sign-in began. */
function asRefusal(error: unknown): SsoRefusal {
  if (error instanceof SsoRefusal) return error;
  if (error instanceof Error && error.name === 'DomainError')
    return new SsoRefusal('answer', error.message);
  throw error;
}
