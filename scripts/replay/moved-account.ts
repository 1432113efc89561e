import { resetByMail } from './credentials.ts';
import { directoryOf, patch, scimUser } from './directory.ts';
import { type Finding, hold, prepared } from './finding.ts';
import { password } from './scene.ts';

export const movedAccount: Finding = {
  id: 'R19-12',
  when: 'aside',
  async attack(scene) {
    const admin = await scene.admin();
    await scene.signIn(admin);
    await scene.ownDomain(admin, 'r1912.example');
    const scim = await directoryOf(scene, admin);
    const former = scene.visitor();
    former.email = 'former@r1912.example';
    const made = await scim('POST', '/Users', scimUser(former.email));
    prepared(made.status === 201, `SCIM answers ${made.status}`);
    await resetByMail(scene, former.email, password);
    await scene.signIn(former);
    const asked = { name: 'Script', scopes: ['rooms:read'], expiresInDays: null };
    const { token } = await former.call('POST', '/api/user/tokens', asked);
    const { url } = await former.call('POST', '/api/calendar-feed', {});
    const visitor = scene.visitor();
    const headers = { authorization: `Bearer ${token}` };
    const read = () => visitor.send('GET', '/api/rooms', undefined, { headers });
    const before = await read();
    prepared(before.status === 200, `the token answers ${before.status} before`);
    const move = patch('replace', 'userName', 'successor@r1912.example');
    const moved = await scim('PATCH', `/Users/${made.body.id}`, move);
    prepared(moved.status === 200, `the move answers ${moved.status}`);
    const [byToken, feed] = [await read(), await visitor.send('GET', new URL(url).pathname)];
    hold(
      byToken.status === 401 && feed.status === 404,
      `after a directory gave the account another address, the former holder's token answers ${byToken.status} and calendar address ${feed.status}`,
    );
    return `after a directory gave the account another address: API token ${byToken.status}, calendar address ${feed.status}`;
  },
};
