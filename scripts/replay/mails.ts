import { readConfig } from '#server/config.ts';
import { openOperatorDatabase } from '#server/operator/open-database.ts';
import { directoryOf, scimUser } from './directory.ts';
import { eventually, NotReplayed, wait } from './eventually.ts';
import { type Finding, hold, prepared } from './finding.ts';
import { guestToken, open } from './rooms.ts';
import type { Scene } from './scene.ts';

const advert = 'Pay your invoice at evil.test now';

const bombing: Finding = {
  id: 'M4',
  when: 'aside',
  async attack(scene) {
    const [mallory, victim] = [await scene.admin(), await scene.admin()];
    const path = `/api/organizations/${mallory.user.orgId}`;
    await mallory.call('PUT', path, { name: advert, brandColor: '#123456', plan: 'starter' });
    const lobby = waitingGuests(scene);
    const target = scene.newEmail('target.example');
    let mailed = 0;
    for (let n = 0; n < 60; n += 1) {
      const made = await mallory.send('POST', '/api/users/invite', {
        email: target,
        role: 'AGENT',
      });
      if (made.body?.mailed) mailed += 1;
    }
    hold(mailed <= 5, `${mailed} of 60 invitations to one address were mailed`);
    const flooding = await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        mallory.send('POST', '/api/users/invite', { email: `n${n}@target.example`, role: 'AGENT' }),
      ),
    );
    const queued = flooding.filter(({ body }) => body?.mailed).length;
    hold(queued <= 50, `one admin queued ${queued} invitations at once`);
    const asked = Date.now();
    await scene.visitor().send('POST', '/api/forgot-password', { email: victim.email });
    await scene.sink.token(victim.email, 'reset-password');
    const seconds = Math.round((Date.now() - asked) / 1000);
    hold(seconds <= 15, `a reset mail came after ${seconds} s`);
    const subjects = scene.sink.to(target).map(({ subject }) => subject);
    hold(!subjects.some((one) => one.includes('evil')), `subject: ${subjects[0]}`);
    const waiting = await lobby;
    hold(waiting.length <= 2, `${waiting.length} mails to the owner of a personal room`);
    hold(!waiting.join().includes('evil'), `subject: ${waiting[0]}`);
    return `of 60 invitations to one address ${mailed} were mailed ("${subjects[0]}"), of 120 by one admin ${queued}; behind them a reset mail took ${seconds} s; 25 anonymous guests who waited a minute caused ${waiting.length} mail (${waiting.join(', ')})`;
  },
};

/** Guests from 25 addresses wait in a personal room; returns the subjects that its owner got. */
async function waitingGuests(scene: Scene): Promise<string[]> {
  const owner = await scene.admin();
  const room = await owner.call('GET', '/api/personal-room');
  const page = await scene.visitor().send('GET', new URL(room.url).pathname);
  const { url } = await owner.call('GET', `/api/rooms/${room.roomId}/guest-link`);
  const link = `${page.headers.location ?? page.text}`.match(/\/join\/([\w.~-]+)/)?.[1];
  const guests = await Promise.all(
    Array.from({ length: 25 }, async () => {
      const guest = scene.visitor();
      const token = await guestToken(guest, link ?? url.split('/').at(-1));
      return open(scene, guest.address, token, { name: advert });
    }),
  );
  const before = scene.sink.to(owner.email).length;
  await wait(85_000);
  for (const line of guests) line.socket.terminate();
  return scene.sink
    .to(owner.email)
    .slice(before)
    .map(({ subject }) => subject);
}

const loggedTokens: Finding = {
  id: 'M5',
  when: 'aside',
  async attack(scene) {
    const visitor = scene.visitor();
    const secret = () => `Secret${'x'.repeat(24)}${Math.random().toString(36).slice(2, 12)}`;
    const tokens: string[] = [];
    const path = (make: (token: string) => string) => {
      tokens.push(secret());
      return make(tokens.at(-1) ?? '');
    };
    for (const page of ['reset-password', 'invite', 'verify-email', 'join']) {
      const shapes = [
        (token: string) => `/${page}/${token}`,
        (token: string) => `//${page}/${token}/more?x=1`,
        (token: string) => `/${page.toUpperCase()}/${token}`,
        (token: string) => `/${page}%2F${token}`,
        (token: string) => `/${page}/${token}%`,
        (token: string) => `/app?next=/${page}/${token}`,
      ];
      for (const shape of shapes) await visitor.send('GET', path(shape)).catch(() => null);
    }
    for (const api of ['reset-password', 'verify-email', 'invitations', 'join']) {
      const headers = { referer: path((token) => `${scene.url}/${api}/${token}`) };
      await visitor.send(
        'GET',
        path((token) => `/api/${api}/${token}`),
        undefined,
        { headers },
      );
    }
    const ada = await scene.admin();
    await visitor.send('POST', '/api/forgot-password', { email: ada.email });
    const reset = await scene.sink.token(ada.email, 'reset-password');
    await visitor.send('GET', `/reset-password/${reset}`);
    await visitor.send('POST', `/api/reset-password/${reset}`, { password: 'short' });
    tokens.push(reset);
    await wait(500);
    const log = scene.program.output();
    prepared(log.includes('/reset-password/'), 'the log names no paths');
    const found = tokens.filter((token) => log.includes(token));
    hold(found.length === 0, `${found.length} of ${tokens.length} tokens are in the log`);
    await wait(1500);
    const kept = await keptBodies(scene, reset);
    hold(kept === 0, `${kept} sent mails keep a body`);
    return `none of ${tokens.length} tokens is in the log; no sent mail keeps its body in the database`;
  },
};

/** Returns the number of sent emails whose text is still stored, or of any that contain the token. */
async function keptBodies(scene: Scene, token: string): Promise<number> {
  const config = readConfig({ DATA_DIR: scene.program.dataDir });
  const { database, close } = await openOperatorDatabase(config);
  try {
    const { rows } = await database.connection('outside', ({ query }) =>
      query(
        `select count(*)::int as n from mails where sent_at is not null
          and (body_text <> '' or body_html <> '') or body_text like $1`,
        [`%${token}%`],
      ),
    );
    if (!rows[0]) throw new NotReplayed('the database did not answer');
    return Number(rows[0].n);
  } finally {
    await close();
  }
}

const foreignSubjects: Finding = {
  id: 'M9',
  when: 'aside',
  async attack(scene) {
    const corp = await scene.admin();
    const path = `/api/organizations/${corp.user.orgId}`;
    await corp.call('PUT', path, {
      name: 'Project Falcon',
      brandColor: '#123456',
      plan: 'starter',
    });
    const email = 'person@m9.example';
    await corp.call('POST', '/api/users/invite', { email, role: 'AGENT' });
    const arrived = await eventually(() => scene.sink.to(email, /Falcon/).length > 0, 20);
    if (!arrived) throw new NotReplayed('the invitation of the other organization did not arrive');
    const mallory = await scene.admin();
    await scene.ownDomain(mallory, 'm9.example');
    const scim = await directoryOf(scene, mallory);
    const { body } = await scim('POST', '/Users', scimUser(email));
    const byId = await mallory.send('GET', `/api/privacy/person?userId=${body.id}`);
    const byName = await mallory.send('GET', `/api/privacy/person?guest=${email}`);
    prepared(byId.status === 200, `the export answers ${byId.status}`);
    hold(!(byId.text + byName.text).includes('Falcon'), 'the export names the other organization');
    return `the export (200) names no mail of another organization; as a guest ${byName.status}`;
  },
};

const nameInSecurityMail: Finding = {
  id: 'R19-8',
  when: 'aside',
  async attack(scene) {
    const admin = await scene.admin();
    await scene.signIn(admin);
    const { email } = await scene.member(admin, 'ORGADMIN');
    const firstName = 'To cancel, sign in at https://evil.test now.';
    await admin.call('PUT', '/api/user', { firstName });
    const path = `/api/organizations/${admin.user.orgId}`;
    const { name } = await admin.call('GET', path);
    await admin.call('POST', `${path}/deletion`, { name });
    const arrived = await eventually(() => scene.sink.to(email, /deleted/).length > 0, 20);
    prepared(arrived, 'the other admin got no mail about the deletion');
    const [mail] = scene.sink.to(email, /deleted/);
    hold(!mail?.text.includes('evil.test'), 'a security mail has a link of an admin’s choice');
    return 'the mail about a scheduled deletion has no link of an admin’s choice';
  },
};

export const mailFindings = [bombing, loggedTokens, foreignSubjects, nameInSecurityMail];
