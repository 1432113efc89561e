import { expect, test } from 'vitest';
import { accountId, orgId, participantId, roomId } from '#domain/ids.ts';
import { type Actor, can, type Permission, permissions, roles } from './permissions.ts';

const id = '01900000-0000-7000-8000-000000000000';
const all = Object.keys(permissions) as Permission[];
const granted = (actor: Actor) => all.filter((permission) => can(actor, permission));
const user = (role: (typeof roles)[number]): Actor => ({
  kind: 'user',
  accountId: accountId.parse(id),
  orgId: orgId.parse(id),
  role,
});

test('a viewer reads and attends calls, and nothing else', () => {
  expect(granted(user('VIEWER'))).toEqual([
    'organization.read',
    'billing.read',
    'team.read',
    'analytics.read',
    'playbooks.read',
    'rooms.read',
    'calls.read',
    'calls.attend',
  ]);
});

test('an agent does the daily work, and manages neither team, organization, billing nor audit', () => {
  const withheld = all.filter((permission) => !can(user('AGENT'), permission));
  expect(withheld).toEqual([
    'organization.update',
    'organization.delete',
    'billing.manage',
    'team.manage',
    'security.manage',
    'audit.read',
    'sso.manage',
    'scim.manage',
    'privacy.manage',
    'recordings.delete',
    'samples.manage',
    'webhooks.manage',
    'api_tokens.manage',
    'crm.manage',
  ]);
});

test.each(['ORGADMIN', 'SUPERADMIN'] as const)('%s may do everything', (role) => {
  expect(granted(user(role))).toEqual(all);
});

test('a guest may attend the room, and reads nothing of the organization', () => {
  const guest: Actor = {
    kind: 'guest',
    participantId: participantId.parse(id),
    orgId: orgId.parse(id),
    roomId: roomId.parse(id),
  };
  expect(granted(guest)).toEqual(['calls.attend']);
});

test('a token has the permissions of its role', () => {
  for (const role of roles) {
    const token: Actor = { kind: 'token', of: 'scim', tokenId: id, orgId: orgId.parse(id), role };
    expect(granted(token)).toEqual(granted(user(role)));
  }
});
