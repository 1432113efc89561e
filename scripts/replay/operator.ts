import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readConfig } from '#server/config.ts';
import { openOperatorDatabase } from '#server/operator/open-database.ts';
import type { TestApp } from '#server/testing/open-test-app.ts';
import { storeRecordedFile } from '#server/testing/recorded-file.ts';
import { type Finding, hold, prepared } from './finding.ts';
import { password, type Scene } from './scene.ts';

const repository = join(import.meta.dirname, '../..');

/** Runs statements as the owner of the database, for what takes browsers and cameras otherwise. */
export async function asOwner<T>(
  scene: Scene,
  use: (owner: TestApp['owner']) => Promise<T>,
): Promise<T> {
  const config = readConfig({ DATA_DIR: scene.program.dataDir });
  const { database, close } = await openOperatorDatabase(config);
  try {
    // The helpers of tests use nothing else of the connection.
    return await database.connection('outside', ({ query }) => {
      const owner = { query: (text: string, values: unknown[] = []) => query(text, values) };
      return use(owner as unknown as TestApp['owner']);
    });
  } finally {
    await close();
  }
}

const heldRecording: Finding = {
  id: 'R19-3',
  async attack(scene) {
    const admin = await scene.admin();
    const room = await admin.call('POST', '/api/rooms', { topic: 'Under hold' });
    const call = await admin.call('POST', '/api/calls', { roomId: room.id });
    const { orgId } = admin.user;
    await asOwner(scene, async (owner) => {
      const of = { id: call.id, roomId: room.id, orgId };
      const { participantId } = await storeRecordedFile({ owner }, of, { name: 'Grace' });
      await owner.query(
        `insert into attendances (id, org_id, call_id, kind, name, joined_at)
         values ($1, $2, $3, 'guest', 'Grace', now())`,
        [participantId, orgId, call.id],
      );
    });
    const path = `/api/calls/${call.id}/recording-shares`;
    const { url } = await admin.call('POST', path, { expiresInDays: 1 });
    const shown = async () => {
      const token = url.split('/').at(-1);
      const { people } = await scene.visitor().call('GET', `/api/shared-recordings/${token}`);
      return people.length;
    };
    prepared((await shown()) === 1, 'the shared recording shows nobody');
    await admin.call('PUT', `/api/calls/${call.id}/legal-hold`, { reason: 'A dispute' });
    await admin.call('POST', '/api/privacy/erase', { guest: 'Grace' });
    hold(
      (await shown()) === 0,
      'a share shows a guest who was erased while a hold keeps the files',
    );
    return 'a share shows nobody who was erased while a hold keeps the files';
  },
};

const controlCharacters: Finding = {
  id: 'R19-4',
  async attack(scene) {
    const name = 'Evil\u001b[2K\u001b]0;retitled\u0007\u009b31m';
    const visitor = scene.visitor();
    const person = { email: scene.newEmail(), password, firstName: 'First', lastName: 'Last' };
    const reply = await visitor.send('POST', '/api/register', { ...person, orgName: name });
    const env = { ...process.env, DATA_DIR: scene.program.dataDir };
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/admin.ts', 'list'], {
      cwd: repository,
      env,
    });
    const isClean = !/(?!\n)\p{Cc}/u.test(stdout);
    hold(isClean, 'the name of an organization controls the terminal of the operator');
    return `a name with control characters answers ${reply.status}, and the operator's list prints none`;
  },
};

/** Of the nineteenth review: what is prepared, or looked at, on the server itself. */
export const operatorFindings: Finding[] = [heldRecording, controlCharacters];
