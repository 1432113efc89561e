import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { orgId } from '#domain/ids.ts';
import { makePictureSafe } from './make-picture-safe.ts';

const folder = mkdtempSync(join(tmpdir(), 'rapport-drawer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

/** Writes its input back, but never finishes an image that contains `slow`. */
const program = join(folder, 'drawer.mjs');
writeFileSync(
  program,
  `import { text } from 'node:stream/consumers';
const given = await text(process.stdin);
if (given.includes('slow')) for (;;);
process.stdout.write(given);`,
);
const drawer = { program, patienceMs: 2000 };
const org = (n: number) => orgId.parse(`01900000-0000-7000-8000-00000000000${n}`);

test('slow images of one organization do not delay images of another', async () => {
  const answered: string[] = [];
  const draw = (n: number, what: string) =>
    makePictureSafe(org(n), Buffer.from(`<svg>${what}</svg>`), 'logo', drawer).then(
      () => answered.push(what),
      (error) => answered.push(error.code),
    );
  const slow = Array.from({ length: 3 }, () => draw(1, 'slow'));
  await Promise.all(['logo 1', 'logo 2', 'logo 3'].map((what) => draw(2, what)));
  await Promise.all(slow);
  const late = 'picture_takes_too_long';
  expect(answered).toEqual(['logo 1', 'logo 2', 'logo 3', late, late, late]);
});

test('an organization with 20 waiting images gets too_many', async () => {
  const draw = () => makePictureSafe(org(3), Buffer.from('<svg>logo</svg>'), 'logo', drawer);
  const replies = await Promise.allSettled(Array.from({ length: 22 }, draw));
  const refused = replies.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(1);
  expect(refused[0]).toMatchObject({ reason: { kind: 'too_many' } });
});

test('the program that draws gets no environment variables but those it needs to be small', async () => {
  const shown = join(folder, 'shown.mjs');
  writeFileSync(shown, 'process.stdout.write(JSON.stringify(process.env));');
  vi.stubEnv('NODE_COMPILE_CACHE', join(folder, 'compiled'));
  vi.stubEnv('SECRET_OF_THE_SERVER', 'secret');
  const drawn = await makePictureSafe(org(4), Buffer.from('<svg/>'), 'logo', {
    program: shown,
    patienceMs: 10_000,
  });
  expect(JSON.parse(drawn.toString())).toEqual({
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    MALLOC_ARENA_MAX: '1',
  });
});

test('R29-B7: a picture that must be decoded as a whole is refused where that takes too much memory', async () => {
  const create = { width: 3600, height: 3600, channels: 4, background: '#0f766e80' } as const;
  const save = (progressive: boolean) => sharp({ create }).png({ progressive }).toBuffer();
  await expect(makePictureSafe(org(5), await save(true), 'logo')).rejects.toMatchObject({
    code: 'unreadable_picture',
  });
  const drawn = await makePictureSafe(org(5), await save(false), 'logo');
  expect((await sharp(drawn).metadata()).width).toBe(512);
});
