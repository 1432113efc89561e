import { generate } from 'otplib';
import { Authenticator } from './authenticator.ts';
import { directoryOf, directoryWith, patch, scimUser } from './directory.ts';
import { eventually } from './eventually.ts';
import { type Finding, hold, prepared } from './finding.ts';
import type { Person } from './person.ts';
import { password, type Scene } from './scene.ts';
import { signInBySso, ssoOrganization } from './single-sign-on.ts';

async function turnOnSecondFactor(person: Person): Promise<boolean> {
  const asked = await person.send('POST', '/api/user/two-factor');
  if (asked.status !== 200) return false;
  const code = await generate({ secret: asked.body.secret });
  return (await person.send('POST', '/api/user/two-factor/confirm', { code })).status === 200;
}

export async function resetByMail(scene: Scene, email: string, chosen: string): Promise<number> {
  await scene.visitor().send('POST', '/api/forgot-password', { email });
  const token = await scene.sink.token(email, 'reset-password');
  const path = `/api/reset-password/${token}`;
  return (await scene.visitor().send('POST', path, { password: chosen })).status;
}

const leftFactors: Finding = {
  id: 'H2',
  when: 'aside',
  async attack(scene) {
    const mallory = await scene.register(scene.newEmail('victims.example'));
    const passkey = new Authenticator();
    const hasPasskey = (await passkey.addTo(mallory)).status === 201;
    const hasCode = await turnOnSecondFactor(mallory);
    const { email } = mallory;
    const reset = await resetByMail(scene, email, 'chosen by the owner');
    prepared(reset === 200, `the owner's reset answered ${reset}`);
    const byKey = await passkey.signIn(scene.visitor());
    hold(byKey.status !== 200, 'the passkey that was added before signs in');
    const own = { email, password: 'chosen by the owner' };
    const owner = await scene.visitor().send('POST', '/api/login', own);
    hold(owner.status === 200, `the owner's sign-in answers ${owner.status} ${owner.body?.code}`);
    const old = await mallory.send('GET', '/api/user');
    hold(old.status === 401, `the squatter's cookie answers ${old.status}`);
    const verified = await scene.admin();
    await new Authenticator().addTo(verified);
    await turnOnSecondFactor(verified);
    const mails = () => scene.sink.to(verified.email).map(({ subject }) => subject);
    const told = await eventually(() => mails().some((one) => /passkey/i.test(one)), 15);
    hold(told, `no mail names a new passkey: ${mails().join(', ')}`);
    return `passkey ${hasPasskey ? 'added' : 'refused'} and second factor ${hasCode ? 'on' : 'refused'} before the reset; after it the passkey and the cookie are refused, the owner signs in; mails on changes: ${mails().slice(1).join(', ')}`;
  },
};

const squattedDomain: Finding = {
  id: 'H6',
  async attack(scene) {
    const [one, two, three] = await Promise.all(
      ['one', 'two', 'three'].map((name) => scene.register(`${name}@h6.example`)),
    );
    const made = await one?.send('POST', '/api/scim-tokens', { name: 'D', expiresInDays: null });
    hold(made?.status === 403, `an unverified registrant's SCIM token: ${made?.status}`);
    const { admin } = await ssoOrganization(scene, 'h6.example');
    const body = { email: 'four@h6.example', password, firstName: 'F', lastName: 'L' };
    const open = await scene.visitor().send('POST', '/api/register', body);
    hold(open.status === 403 || open.status === 409, `registration answers ${open.status}`);
    const mallory = await scene.admin();
    const scim = await directoryOf(scene, mallory);
    const foreign = await scim('POST', '/Users', scimUser('five@h6.example'));
    hold(foreign.status === 403, `a stranger's SCIM answers ${foreign.status}`);
    const invite = { email: 'six@h6.example', role: 'AGENT' };
    const invited = await mallory.send('POST', '/api/users/invite', invite);
    hold(invited.status >= 400, `a stranger's invitation answers ${invited.status}`);
    const claims = { sub: 'one', email: one?.email, email_verified: true };
    const { user, landed } = await signInBySso(scene, 'x@h6.example', claims);
    hold(user?.orgId === admin.user.orgId, `SSO of a squatted address landed at ${landed}`);
    const own = await directoryOf(scene, admin);
    const provisioned = await own('POST', '/Users', scimUser(two?.email ?? ''));
    hold(provisioned.status === 201, `SCIM of a squatted address answers ${provisioned.status}`);
    const again = await scene.member(admin, 'AGENT', three?.email);
    hold(again.user.orgId === admin.user.orgId, 'the invitation of a squatted address failed');
    return `registration ${open.status}, a stranger's SCIM 403, a stranger's invitation ${invited.status}, an unverified admin's token 403; SSO, SCIM and invitation reclaimed three squatted addresses`;
  },
};

const removedAdmin: Finding = {
  id: 'H9',
  when: 'aside',
  async attack(scene) {
    const corp = await scene.admin();
    const mallory = await scene.member(corp, 'ORGADMIN');
    const email = scene.newEmail('private.example');
    const made = await mallory.call('POST', '/api/users/invite', { email, role: 'ORGADMIN' });
    await scene.ownDomain(mallory, 'h9.example');
    const token = { name: 'Directory', expiresInDays: null };
    const { token: secret } = await mallory.call('POST', '/api/scim-tokens', token);
    await corp.call('DELETE', `/api/users/${mallory.user.id}`);
    const body = { email, password, firstName: 'M', lastName: 'M' };
    const path = `/api/invitations/${made.url.split('/').at(-1)}/accept`;
    const accepted = await scene.visitor().send('POST', path, body);
    hold(accepted.status === 410, `the invitation answers ${accepted.status}`);
    const [shown] = await corp.call('GET', '/api/scim-tokens');
    hold(shown?.orphanOf && shown.expiresAt, 'the SCIM token is not shown as one without an owner');
    const scim = directoryWith(scene, secret);
    const works = await scim('POST', '/Users', scimUser('back@h9.example'));
    return `the invitation answers 410; the SCIM token is shown as orphaned and ends at ${shown.expiresAt.slice(0, 10)} (until then it answers ${works.status})`;
  },
};

const movedAdmin: Finding = {
  id: 'M8',
  async attack(scene) {
    const corp = await scene.admin();
    await scene.ownDomain(corp, 'm8.example');
    const scim = await directoryOf(scene, corp);
    const { body: made } = await scim('POST', '/Users', scimUser('boss@m8.example'));
    const members = [{ value: made.id }];
    const { body: group } = await scim('POST', '/Groups', { displayName: 'Admins', members });
    await corp.call('PUT', `/api/scim-groups/${group.id}/role`, { role: 'ORGADMIN' });
    await scim('PATCH', `/Groups/${group.id}`, patch('remove', 'members', members));
    const tries = [
      await scim('PATCH', `/Users/${made.id}`, patch('replace', 'userName', 'new@m8.example')),
      await scim('PUT', `/Users/${made.id}`, scimUser('new@m8.example')),
    ];
    const users: { id: string; email: string }[] = await corp.call('GET', '/api/users');
    const now = users.find(({ id }) => id === made.id)?.email;
    hold(now === 'boss@m8.example', `the address moved to ${now}`);
    return `moving the address out of the group answers ${tries.map(({ status }) => status).join(' and ')}, and the account's address stays`;
  },
};

const removedFactor: Finding = {
  id: 'L2',
  when: 'aside',
  async attack(scene) {
    const ada = await scene.admin();
    prepared(await turnOnSecondFactor(ada), 'the second factor was not turned on');
    const bare = await ada.send('POST', '/api/user/confirm', { password });
    hold(bare.status >= 400, `the password alone confirms: ${bare.status}`);
    await ada.call('DELETE', '/api/user/two-factor');
    const told = await eventually(
      () => scene.sink.to(ada.email, /two|second|factor|step/i).length > 1,
      15,
    );
    const subjects = scene.sink.to(ada.email).map(({ subject }) => subject);
    hold(told, `no mail says that the second factor is off: ${subjects.join(', ')}`);
    return `the password without a code answers ${bare.status}; mails: ${subjects.slice(1).join(', ')}. Staleness after ten minutes was not waited for`;
  },
};

const namedAccounts: Finding = {
  id: 'L6',
  accepted: 'people have to be told to sign in instead; 20 registrations an hour per network',
  async attack(scene) {
    const known = await scene.admin();
    const body = { email: known.email, password, firstName: 'A', lastName: 'B' };
    const taken = await scene.visitor().send('POST', '/api/register', body);
    const scim = await directoryOf(scene, await scene.admin());
    const one = await scim('POST', '/Users', scimUser(known.email));
    const none = await scim('POST', '/Users', scimUser('nobody@elsewhere.example'));
    hold(one.status === none.status, `SCIM answers ${one.status} and ${none.status}`);
    hold(
      taken.status !== 409,
      `registration answers ${taken.status} ${taken.body?.code} for an address with an account (SCIM tells nothing: ${one.status} for both)`,
    );
    return 'neither registration nor SCIM tells';
  },
};

const deadEnd: Finding = {
  id: 'L9',
  when: 'aside',
  async attack(scene) {
    const corp = await scene.admin();
    const person = await scene.member(corp, 'AGENT');
    await corp.call('DELETE', `/api/users/${person.user.id}`);
    await scene.signIn(person);
    const again = { email: person.email, role: 'AGENT' };
    const made = await corp.send('POST', '/api/users/invite', again);
    hold(made.status === 201, `inviting again answers ${made.status}`);
    const invitation = made.body.url.split('/').at(-1);
    const joined = await person.send('POST', '/api/user/membership', { invitation });
    hold(joined.status === 200, `joining again answers ${joined.status}`);
    return 'who left is invited again (201) and joins with the same account (200)';
  },
};

export const credentialFindings = [
  ...[leftFactors, squattedDomain, removedAdmin, movedAdmin, removedFactor, namedAccounts, deadEnd],
];
