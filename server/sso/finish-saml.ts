import { z } from 'zod';
import { ownPath } from '#server/platform/own-path.ts';
import { Checks, SsoRefusal } from './asserted.ts';
import { spendAssertion } from './connection-store.ts';
import { failTest, finishTest, noteFailure, signInAsserted } from './finish-flow.ts';
import {
  answerFlow,
  type Flow,
  findFlow,
  finishFlow,
  flowOfRequest,
  isOfBrowser,
  readState,
  stateOf,
} from './flow-store.ts';
import type { Landing } from './landing.ts';
import { landingPath, testPath } from './landing-path.ts';
import { readInTurn } from './read-in-turn.ts';
import type { SamlAnswer } from './saml-response.ts';
import { samlSettings } from './start-flow.ts';

const form = z.object({ SAMLResponse: z.string(), RelayState: z.string().optional() });
const expired = () =>
  new SsoRefusal('request', 'This browser asked for no such sign-in, or it took too long.');

/**
 * Handles a response that an identity provider has the browser post. The browser sends no cookie with a
 * cross-site form, so the answer to a request is stored until the browser fetches it by a link.
 * @returns the path to redirect the browser to
 * @throws SsoRefusal
 */
export async function receiveResponse(landing: Landing): Promise<string> {
  const { site, tenant, connection, base, request } = landing;
  const posted = form.safeParse(request.body);
  if (connection.kind !== 'saml' || !posted.success) throw expired();
  const { SAMLResponse, RelayState } = posted.data;
  const checks = new Checks();
  const asked = await flowNamed(landing, RelayState);
  try {
    const sender = { address: request.ip, isAsked: asked !== null && asked.answeredAt === null };
    const task = { settings: samlSettings(connection, base), given: SAMLResponse };
    const answer = await readInTurn(sender, task, checks);
    const flow = await flowAnswered(landing, answer);
    checks.passed('request');
    if (!(await spendAssertion(tenant, connection.id, answer.assertionId, answer.expiresAt)))
      throw new SsoRefusal('replay', 'This assertion was used before.');
    checks.passed('replay');
    if (flow === null) return askPath(answer.asserted.email, RelayState);
    return await goOn(landing, flow, answer, checks);
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error;
    if (asked?.purpose === 'test') {
      await failTest(tenant, asked, error, checks);
      return testPath(asked.id);
    }
    await noteFailure(site, tenant, connection, error);
    throw error;
  }
}

/** Returns the flow of this connection in the state that the provider sent back. */
async function flowNamed({ tenant, connection }: Landing, relayState: string | undefined) {
  const state = readState(relayState);
  const flow = state?.orgId === tenant.orgId ? await findFlow(tenant, state.id) : null;
  return flow?.connectionId === connection.id ? flow : null;
}

/**
 * Returns the path of the sign-in page, for a response that the provider initiated. Any site can post a
 * response about another person (login CSRF), so the person must begin the sign-in there with a button.
 */
function askPath(email: string | null, relayState: string | undefined): string {
  const next = ownPath(relayState);
  const query = { sso: 'continue', ...(email ? { email } : {}), ...(next ? { next } : {}) };
  return `/auth?${new URLSearchParams(query)}`;
}

/** @returns null for an unsolicited response, if the connection allows those */
async function flowAnswered(
  { tenant, connection }: Landing,
  { inResponseTo }: SamlAnswer,
): Promise<Flow | null> {
  if (inResponseTo === null) {
    if (connection.allowIdpInitiated) return null;
    throw new SsoRefusal('request', 'It answers no request of ours: sign in from our page.');
  }
  const id = flowOfRequest(inResponseTo);
  const flow = id && (await findFlow(tenant, id));
  if (!flow || flow.connectionId !== connection.id || flow.answeredAt !== null) throw expired();
  return flow;
}

async function goOn(
  { tenant, connection }: Landing,
  flow: Flow,
  { asserted }: SamlAnswer,
  checks: Checks,
): Promise<string> {
  if (flow.purpose === 'test') {
    await finishFlow(tenant, flow.id);
    await finishTest(tenant, flow, connection, asserted, checks);
    return testPath(flow.id);
  }
  if (!(await answerFlow(tenant, flow.id, asserted))) throw expired();
  return `/sso/saml/${connection.id}/finish?flow=${stateOf(flow)}`;
}

/** Completes a sign-in, once, in the browser that began it. @throws SsoRefusal */
export async function finishSaml(landing: Landing): Promise<string> {
  const { site, tenant, connection, request, browser } = landing;
  const state = readState(new URL(request.url, 'http://own').searchParams.get('flow'));
  const flow = state?.orgId === tenant.orgId ? await findFlow(tenant, state.id) : null;
  const isOurs = flow?.connectionId === connection.id && isOfBrowser(flow, browser);
  if (!flow?.asserted || !isOurs || !(await finishFlow(tenant, flow.id))) throw expired();
  try {
    const answer = { asserted: flow.asserted, askedAt: flow.createdAt };
    await signInAsserted(site, tenant, connection, answer, landing);
    return landingPath(flow.next);
  } catch (error) {
    if (error instanceof SsoRefusal) await noteFailure(site, tenant, connection, error);
    throw error;
  }
}
