import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { listInstallation } from './list-installation.ts';
import { setPlan } from './set-plan.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('R19-4: names of organizations send nothing to the operator’s terminal but their letters', async () => {
  const { user } = await newOrganization(app);
  await app.owner.query('update organizations set name = $2 where id = $1', [
    user.orgId,
    '\u001b]0;pwned\u0007\u001b[2KEvil\u009b31m\u202eCo',
  ]);
  const database = app.openOwnerDatabase();
  try {
    const listed = await listInstallation(database);
    expect(listed).toContain('Evil');
    expect(listed.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    // R20-3: so are the other sentences that have one.
    expect(await setPlan(database, user.orgId ?? '', 'professional')).not.toMatch(/\p{C}/u);
  } finally {
    await database.close();
  }
});
