import { captureModes } from '#domain/consent/capture.ts';
import type { Contract } from '#domain/contract.ts';
import { defaultMapping } from '#domain/crm/mapping.ts';
import { providerKeys } from './saml-keys.ts';

/** The objects of one organization, by the names that requests use. */
export interface Things {
  rooms: string;
  calls: string;
  playbooks: string;
  organizations: string;
  users: string;
  invitations: string;
  'action-items': string;
  'transcript-lines': string;
  'guest-links': string;
  'recording-shares': string;
  /** In the lobby of the room. */
  guests: string;
  /** Of single sign-on. */
  connections: string;
  domains: string;
  tests: string;
  'scim-tokens': string;
  'scim-groups': string;
  /** Of a recording. */
  segments: string;
  webhooks: string;
  'webhook-deliveries': string;
  /** Of the public API. */
  'organization-tokens': string;
  'crm-connections': string;
  'slack-channels': string;
  /** Of the installation: the name of one. */
  'speech-models': string;
}

/** An id that does not exist. */
const nobodys = '01900000-0000-7000-8000-000000000000';
export const unknownThings: Things = {
  rooms: nobodys,
  calls: nobodys,
  playbooks: nobodys,
  organizations: nobodys,
  users: nobodys,
  invitations: nobodys,
  'action-items': nobodys,
  'transcript-lines': nobodys,
  'guest-links': nobodys,
  'recording-shares': nobodys,
  guests: nobodys,
  connections: nobodys,
  domains: nobodys,
  tests: nobodys,
  'scim-tokens': nobodys,
  'scim-groups': nobodys,
  segments: nobodys,
  webhooks: nobodys,
  'webhook-deliveries': nobodys,
  'organization-tokens': nobodys,
  'crm-connections': nobodys,
  'slack-channels': nobodys,
  'speech-models': 'no-such-model',
};

/** Returns the settings of a connection to a test SAML provider. */
export const samlConnection = (given: object = {}) => ({
  name: 'Okta',
  enabled: false,
  allowIdpInitiated: false,
  defaultRole: 'AGENT',
  roleClaim: '',
  roleRules: [],
  issuer: '',
  clientId: '',
  clientSecret: '',
  metadata: '',
  metadataUrl: '',
  entityId: 'https://idp.example/entity',
  ssoUrl: 'https://idp.example/sso',
  certificate: providerKeys.certificate,
  ...given,
});

/** Public, and reached by no test: nothing is sent unless a test sends it. */
export const unusedReceiver = 'https://203.0.114.1/hook';

/** In the form of Slack's, and of no channel. */
export const slackAddress = 'https://hooks.slack.com/services/T0/B0/unused';

let invited = 0;
/** Returns a new address each time, so that an invitation never replaces that of another test. */
export const newAddress = () => `matrix-${++invited}@example.com`;

const conversationText = 'They love it. I will send the contract by Friday.';
/** An image of one pixel. */
export const smallPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Returns a form with one file, as a page sends it. */
export function fileForm(content: Uint8Array<ArrayBuffer>, name = 'logo.png', type = 'image/png') {
  const form = new FormData();
  form.set('file', new File([content], name, { type }));
  return form;
}

/** A valid body for each endpoint that takes one. */
const bodies: Record<string, (things: Things) => object> = {
  'POST /api/playbooks': () => ({ title: 'Renewal', checklistItems: [{ text: 'Greet' }] }),
  'POST /api/rooms': ({ playbooks }) => ({ topic: 'Renewal', playbookId: playbooks }),
  'POST /api/rooms/:id/lobby-decisions': ({ guests }) => ({
    guests: [guests],
    decision: 'admitted',
  }),
  'PATCH /api/rooms/:id': ({ playbooks }) => ({ topic: 'Renewed', playbookId: playbooks }),
  'PUT /api/playbooks/:id': () => ({
    title: 'Renewed',
    checklistItems: [{ text: 'Greet' }],
    version: 1,
  }),
  'POST /api/hosted-admissions': () => ({ token: 'none', name: 'Bo' }),
  'POST /api/meetings/leave': () => ({
    token: 'none',
    session: '00000000-0000-4000-8000-000000000000',
  }),
  'POST /api/calls': ({ rooms }) => ({ roomId: rooms }),
  'PUT /api/calls/:id': () => ({ npsScore: 9 }),
  'POST /api/calls/:id/checklist-items': () => ({ text: 'Ask for a reference' }),
  'POST /api/calls/:id/action-items': () => ({ title: 'Send the offer' }),
  'POST /api/calls/:id/action-items/generate': () => ({ timeZone: 'Europe/Berlin' }),
  'POST /api/calls/:id/insights': () => ({ timeZone: 'Europe/Berlin' }),
  'POST /api/billing/plan-change/preview': () => ({ interval: 'year' }),
  'POST /api/billing/plan-change': () => ({
    interval: 'year',
    prorationAt: Math.floor(Date.now() / 1000),
  }),
  'PUT /api/ai/settings': () => ({ monthlyTokens: 100_000 }),
  'PATCH /api/action-items/:id': () => ({ title: 'Send the new offer' }),
  'POST /api/calls/:id/recording-shares': () => ({ title: 'The offer', expiresInDays: 7 }),
  'PATCH /api/transcript-lines/:id': () => ({ text: `Corrected ${++invited}` }),
  'PUT /api/calls/:id/playbook': ({ playbooks }) => ({ playbookId: playbooks }),
  'POST /api/recordings/segments': () => ({
    token: 'none',
    source: 'camera',
    mimeType: 'video/webm',
    hasVideo: true,
  }),
  'POST /api/recordings/segments/:id/complete': () => ({ uploadToken: 'none', partCount: 1 }),
  'PUT /api/calls/:id/legal-hold': () => ({ reason: 'Case 12' }),
  'PUT /api/organizations/:orgId': () => ({
    name: 'Acme',
    brandColor: '#123456',
    plan: 'enterprise',
  }),
  'POST /api/organizations': () => ({ name: 'Acme' }),
  'PUT /api/user': () => ({ firstName: 'Ada' }),
  'POST /api/user/membership': () => ({ invitation: 'never-sent' }),
  'PUT /api/user/password': () => ({ currentPassword: 'a', newPassword: 'correct horse' }),
  'POST /api/contact': () => ({
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: newAddress(),
    company: 'Acme',
  }),
  'POST /api/users/invite': () => ({ email: newAddress(), role: 'AGENT' }),
  'POST /api/ai/analyze-sentiment': ({ calls }) => ({ callId: calls, conversationText }),
  'POST /api/ai/generate-coaching': ({ calls }) => ({ callId: calls, conversationText }),
  'POST /api/calls/:id/analysis': () => ({ questions: ['sentiment', 'coaching'] }),
  'POST /api/ai/generate-action-items': ({ calls }) => ({
    callId: calls,
    fullConversation: conversationText,
  }),
  'POST /api/rooms/:id/guest-links': () => ({ name: 'For Acme', expiresInDays: 7 }),
  'PUT /api/rooms/:id/guest-access': () => ({ waitingText: 'Soon' }),
  'PUT /api/organizations/:orgId/waiting-text': () => ({ waitingText: 'Welcome' }),
  'PUT /api/personal-room': () => ({ slug: `matrix-${++invited}` }),
  'PUT /api/capture-settings': () => ({
    recording: captureModes[1 + (++invited % 2)],
    browserRecognition: invited % 2 === 0,
  }),
  'PUT /api/rooms/:id/capture-settings': () => ({ recording: 'ask' }),
  'POST /api/sso/domains': () => ({ domain: `matrix-${++invited}.example` }),
  'PUT /api/sso/domains/:id': ({ connections }) => ({ connectionId: connections }),
  'POST /api/sso/connections': () => ({ kind: 'saml', name: 'Okta' }),
  'PUT /api/sso/connections/:id': () => samlConnection({ name: `Okta ${++invited}` }),
  'PUT /api/sso/policy': () => ({ required: false, breakGlass: [] }),
  'POST /api/sso/start': () => ({ email: newAddress() }),
  'PUT /api/privacy/retention': () => ({ chats: 365 }),
  'POST /api/privacy/erase': ({ users }) => ({ userId: users }),
  'POST /api/user/delete': () => ({ email: newAddress() }),
  // The name in the sample for PUT /api/organizations/:orgId.
  'POST /api/organizations/:orgId/deletion': () => ({ name: 'Acme' }),
  'POST /api/user/two-factor/confirm': () => ({ code: '000000' }),
  'POST /api/user/passkeys': () => ({
    name: 'Laptop',
    response: {
      ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} },
      response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
    },
  }),
  'PATCH /api/user/passkeys/:id': () => ({ name: 'Laptop' }),
  'POST /api/user/confirm': () => ({ password: 'correct horse' }),
  'PUT /api/getting-started': () => ({ step: 'link_copied' }),
  'POST /api/samples': () => ({ language: 'en' }),
  'PUT /api/embedding': () => ({ origins: ['https://www.example.com'] }),
  'POST /api/rooms/:id/embed-tokens': () => ({ displayName: `Guest ${++invited}` }),
  'PUT /api/sign-in-policy': () => ({ twoFactorRequired: false }),
  'PUT /api/users/:userId/role': () => ({ role: 'VIEWER' }),
  'POST /api/scim-tokens': () => ({ name: 'Directory', expiresInDays: 90 }),
  'POST /api/scim-tokens/:id/rotate': () => ({ overlapHours: 24 }),
  'PUT /api/scim-groups/:id/role': () => ({ role: 'AGENT' }),
  'POST /api/webhooks': () => ({ url: unusedReceiver, events: ['room.archived'] }),
  'POST /api/user/tokens': () => ({ name: 'Script', scopes: ['rooms:read'], expiresInDays: 90 }),
  'POST /api/organization-tokens': () => ({
    name: 'CRM',
    scopes: ['calls:read'],
    expiresInDays: 90,
  }),
  'PATCH /api/webhooks/:id': () => ({ description: `Matrix ${++invited}` }),
  'POST /api/crm-authorizations': () => ({ vendor: 'hubspot' }),
  'POST /api/crm-connections': () => ({ vendor: 'hubspot', code: 'code', state: 'state' }),
  'PATCH /api/crm-connections/:id': () => ({ deletesCalls: ++invited % 2 === 0 }),
  'POST /api/crm-connections/:id/preview': () => ({ mapping: defaultMapping }),
  'POST /api/calls/:id/crm-syncs': () => ({ vendor: 'hubspot' }),
  'PUT /api/recap-settings': () => ({ recipients: (['agent', 'staff'] as const)[++invited % 2] }),
  'PUT /api/own-recaps': () => ({ isOptedOut: true }),
  'POST /api/slack-channels': () => ({ name: '#success', secretAddress: slackAddress }),
  'PATCH /api/slack-channels/:id': () => ({ name: `#matrix-${++invited}` }),
  'PUT /api/scim-settings': () => ({ defaultRole: 'AGENT' }),
};

/** The query string, for endpoints that need one. */
const queries: Record<string, (things: Things) => string> = {
  'GET /api/privacy/person': ({ users }) => `?userId=${users}`,
  'GET /api/search': () => '?q=price',
};

/** Returns a request to an endpoint that names these objects. */
export function requestOf({ method, path, body, file }: Contract, things: Things) {
  const first = path.split('/')[2] ?? '';
  const url = path.replace(/([\w-]+)\/:\w+/g, (_, before: string) => {
    const noun = before in things ? before : first;
    // Belongs to the person, not to the organization. Separate tests cover these.
    if (noun === 'user') return `${before}/${nobodys}`;
    if (!(noun in things)) {
      throw new Error(`${path}: say in server/testing/requests.ts what its id names.`);
    }
    return `${before}/${things[noun as keyof Things]}`; // checked just above
  });
  const query = queries[`${method} ${path}`]?.(things) ?? '';
  const sample = bodies[`${method} ${path}`];
  if (body && !sample) {
    throw new Error(`${method} ${path}: give it a sample body in server/testing/requests.ts.`);
  }
  return { method, url: url + query, body: file ? fileForm(smallPng) : sample?.(things) };
}

/** Returns whether a request names an object, which could be that of another organization. */
export const namesThings = (contract: Contract) => {
  const { url, body } = requestOf(contract, unknownThings);
  return url.includes(nobodys) || JSON.stringify(body ?? null).includes(nobodys);
};
