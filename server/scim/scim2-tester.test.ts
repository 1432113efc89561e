import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { scimPath } from '#domain/scim/endpoints.ts';
import { Directory } from '#server/testing/directory.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { scimTesterPython } from '#server/testing/scim-tester.ts';
import { newMember, newOrganization } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const script = `
import json, sys
from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server, filling
# It makes up a domain for each address; here people are of the organization's own domain.
make_up = filling.generate_random_value
def own_value(*given, **named):
  value = make_up(*given, **named)
  return value.split("@")[0] + "@directory.example" if isinstance(value, str) and "@" in value else value
for name, module in list(sys.modules.items()):
  if name.startswith("scim2_tester") and hasattr(module, "generate_random_value"):
    module.generate_random_value = own_value
url, token = sys.argv[1:]
client = Client(base_url=url, headers={"Authorization": "Bearer " + token})
found = check_server(SyncSCIMClient(client))
print(json.dumps([{"status": each.status.name, "title": each.title, "type": each.resource_type,
  "reason": str(each.reason)[:600]} for each in found]))
`;
const results = z.array(
  z.object({
    status: z.string(),
    title: z.string().nullable(),
    type: z.string().nullable(),
    reason: z.string(),
  }),
);

function check(url: string, token: string): Promise<z.infer<typeof results>> {
  const child = spawn(scimTesterPython, ['-c', script, url, token]);
  let said = '';
  let complaint = '';
  child.stdout.on('data', (piece) => {
    said += piece;
  });
  child.stderr.on('data', (piece) => {
    complaint += piece;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => {
      if (code === 0) resolve(results.parse(JSON.parse(said)));
      else reject(new Error(complaint));
    });
  });
}

// Needs Python: scripts/install-tools.ts installs the tester, or reports that it cannot.
test.skipIf(!existsSync(scimTesterPython))(
  'scim2-tester finds nothing that fails',
  { timeout: 120_000 },
  async () => {
    const admin = await newOrganization(app);
    await newMember(app, admin, 'AGENT');
    const { token } = await Directory.of(app, admin);
    const base = (await app.listen()).replace(/^ws/, 'http');
    const found = await check(`${base}${scimPath}`, token);
    const fine = new Set(['SUCCESS', 'COMPLIANT', 'ACCEPTABLE', 'SKIPPED']);
    expect(found.filter(({ status }) => !fine.has(status))).toEqual([]);
    expect(found.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(100);
  },
);
