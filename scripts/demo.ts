import { openCompileCache } from './compile-cache.ts';
import { fail } from './fail.ts';

const saveCompiled = openCompileCache();
try {
  const { buildIfChanged } = await import('./build.ts');
  await buildIfChanged((line) => console.log(line));
  const { start } = await import('#server/main.ts');
  const { password, people } = await import('#server/seed/demo-content.ts');
  const { resumeDemoCall, seedDemo } = await import('#server/seed/seed-demo.ts');
  const dataDir = process.env.DATA_DIR ?? './data-demo';
  // Its passwords are known to all, so other machines reach it only where HOST says so.
  const host = process.env.HOST ?? '127.0.0.1';
  await start({ ...process.env, DATA_DIR: dataDir, HOST: host }, async (services) => {
    await seedDemo(services, new Date());
    await resumeDemoCall(services);
  });
  console.log('\nSign in as:');
  for (const { email, role } of people) console.log(`  ${email}  ${password}  (${role})`);
  saveCompiled();
} catch (error) {
  fail(error);
}
