import { Authenticator } from './authenticator.ts';
import { directoryOf, scimUser } from './directory.ts';
import { wait } from './eventually.ts';
import { type Finding, hold, prepared } from './finding.ts';
import { password, type Scene } from './scene.ts';
import { signInBySso, ssoOrganization } from './single-sign-on.ts';

/** Mallory invites an address, accepts by the link that she copied, and removes the account. */
async function squat(scene: Scene, email: string) {
  const mallory = await scene.admin();
  const made = await mallory.call('POST', '/api/users/invite', { email, role: 'AGENT' });
  const squatter = scene.visitor();
  squatter.email = email;
  const path = `/api/invitations/${made.url.split('/').at(-1)}/accept`;
  await squatter.call('POST', path, { email, password, firstName: 'C', lastName: 'E' });
  await scene.signIn(squatter);
  hold(squatter.user.mustVerifyEmail, 'a copied link verified the address');
  const passkey = new Authenticator();
  const added = await passkey.addTo(squatter);
  await mallory.call('DELETE', `/api/users/${squatter.user.id}`);
  await squatter.send('POST', '/api/login', { email, password });
  return { squatter, passkey, hasPasskey: added.status === 201 };
}

/** Checks that nothing that the squatter has gives access to the organization. */
async function refuseSquatter(scene: Scene, taken: Awaited<ReturnType<typeof squat>>, how: string) {
  const { squatter, passkey, hasPasskey } = taken;
  const old = await squatter.send('GET', '/api/user');
  hold(old.status === 401, `${how}: the old cookie still answers ${old.status}`);
  const { email } = squatter;
  const again = await scene.visitor().send('POST', '/api/login', { email, password });
  hold(again.status === 401, `${how}: the old password answers ${again.status}`);
  if (!hasPasskey) return;
  const byKey = await passkey.signIn(scene.visitor());
  hold(byKey.status !== 200, `${how}: the old passkey signs in`);
}

const preHijack: Finding = {
  id: 'K1',
  async attack(scene) {
    const [first, second] = await Promise.all([
      squat(scene, 'ceo@k1.example'),
      squat(scene, 'cto@k1.example'),
    ]);
    const { admin } = await ssoOrganization(scene, 'k1.example');
    const scim = await directoryOf(scene, admin);
    const made = await scim('POST', '/Users', scimUser('ceo@k1.example'));
    prepared(made.status === 201, `SCIM answered ${made.status}`);
    await refuseSquatter(scene, first, 'SCIM');
    const claims = { sub: 'cto', email: 'cto@k1.example', email_verified: true };
    const { user, landed } = await signInBySso(scene, 'x@k1.example', claims);
    prepared(user?.orgId === admin.user.orgId, `single sign-on of the person landed at ${landed}`);
    await refuseSquatter(scene, second, 'SSO');
    return `a copied link verifies nothing; after SCIM (201) and SSO the squatter's cookie and password answer 401${first.hasPasskey ? ', the passkey does not sign in' : ', and no passkey could be added'}`;
  },
};

/** Creates a former member of Corp, verified, in no organization; Corp has a call in which they took part. */
async function formerMember(scene: Scene) {
  const corp = await scene.admin();
  const person = await scene.member(corp, 'AGENT');
  const room = await person.call('POST', '/api/rooms', { topic: 'Review' });
  const call = await person.call('POST', '/api/calls', { roomId: room.id });
  await person.call('PUT', `/api/calls/${call.id}`, { npsScore: 9, npsFeedback: 'all well' });
  await corp.call('DELETE', `/api/users/${person.user.id}`);
  await scene.signIn(person);
  return { corp, person, callId: call.id };
}

const foreignErasure: Finding = {
  id: 'K2',
  when: 'aside',
  async attack(scene) {
    const { corp, person, callId } = await formerMember(scene);
    const mallory = await scene.admin();
    const scim = await directoryOf(scene, mallory);
    const taken = await scim('POST', '/Users', scimUser(person.email));
    hold(taken.status === 403, `SCIM of a stranger answered ${taken.status}`);
    const read = await mallory.send('GET', `/api/privacy/person?userId=${person.user.id}`);
    const erased = await mallory.send('POST', '/api/privacy/erase', { userId: person.user.id });
    hold(
      read.status === 404 && erased.status === 404,
      `export ${read.status}, erasure ${erased.status}`,
    );
    // Also if the person has joined the attacker's organization voluntarily.
    const again = { email: person.email, role: 'AGENT' };
    const { url } = await mallory.call('POST', '/api/users/invite', again);
    const invitation = url.split('/').at(-1);
    const joined = await person.send('POST', '/api/user/membership', { invitation });
    prepared(joined.status === 200, `joining answered ${joined.status}`);
    await mallory.call('POST', '/api/privacy/erase', { userId: person.user.id });
    const { email } = person;
    const back = await scene.visitor().send('POST', '/api/login', { email, password });
    hold(
      back.status === 200,
      `after erasure by a stranger the owner's sign-in answers ${back.status}`,
    );
    const { ratings } = await corp.call('GET', `/api/calls/${callId}`);
    hold(ratings[0]?.feedback === 'all well', 'feedback at the former employer is gone');
    const invitee = scene.newEmail();
    const corps = await corp.call('POST', '/api/users/invite', { email: invitee, role: 'AGENT' });
    await mallory.call('POST', '/api/users/invite', { email: invitee, role: 'AGENT' });
    await mallory.call('POST', '/api/privacy/erase', { guest: invitee });
    const open = await scene
      .visitor()
      .send('GET', `/api/invitations/${corps.url.split('/').at(-1)}`);
    hold(
      open.status === 200,
      `Corp's invitation answers ${open.status} after a stranger's erasure`,
    );
    return 'SCIM 403, export and erasure of a stranger 404; after erasure by an organization joined later the account, the feedback at the former employer and its invitations are as before';
  },
};

const deletedMails: Finding = {
  id: 'H1',
  async attack(scene) {
    const [victim, mallory] = [await scene.admin(), await scene.admin()];
    await scene.visitor().send('POST', '/api/forgot-password', { email: victim.email });
    let rounds = 0;
    for (const end = Date.now() + 8000; Date.now() < end; rounds += 1) {
      await mallory.send('POST', '/api/users/invite', { email: victim.email, role: 'AGENT' });
      await mallory.send('POST', '/api/privacy/erase', { guest: victim.email });
      if (rounds === 10)
        await scene.signIn(Object.assign(scene.visitor(), { email: victim.email }));
      await wait(100);
    }
    const got = (subject: RegExp) => scene.sink.to(victim.email, subject).length;
    for (let n = 0; n < 60 && (got(/password/i) === 0 || got(/sign|device/i) === 0); n += 1)
      await wait(250);
    const [resets, warnings] = [got(/password/i), got(/sign|device/i)];
    hold(resets > 0 && warnings > 0, `${resets} reset mails and ${warnings} warnings arrived`);
    return `${rounds} rounds of inviting and erasing: the reset mail and the warning of a new device arrived`;
  },
};

export const accountFindings = [preHijack, foreignErasure, deletedMails];
