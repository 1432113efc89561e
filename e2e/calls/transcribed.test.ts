import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActionItemList } from '#domain/action-items/contract.ts';
import type { Recording } from '#domain/recordings/contract.ts';
import type { TranscriptLine } from '#domain/transcripts/contract.ts';
import { heardOf } from '#server/testing/heard-words.ts';
import {
  findRecognizer,
  hasFlite,
  type SpeechServer,
  startRecognizer,
} from '#server/testing/recognizer.ts';
import { hostUrl, type Prepared, prepareRoom } from '../support/api.ts';
import { type Look, openBrowser, type Person } from '../support/browser.ts';
import { ownerLogin } from '../support/own-database.ts';
import { discard, type Program, startProgram } from '../support/program.ts';
import { spokenFile } from '../support/spoken-words.ts';

/** What each says, again and again. Each has a word that nobody else says. */
const said = {
  ada: [
    'Good morning and welcome to our quarterly review.',
    'Last month the new dashboard helped your whole team.',
    'I will send you the contract by Friday.',
    'The weather in Hamburg was lovely yesterday.',
  ],
  bo: [
    'Thank you very much for the invitation.',
    'Our people still struggle with the monthly export.',
    'We will review the numbers with our finance department.',
    'My neighbor keeps three chickens in the garden.',
  ],
  cy: ['The pineapple is on the wooden table.', 'Please keep this secret between us.'],
};
const own = { ada: /hamburg/i, bo: /chicken/i, cy: /pineapple|wooden table/i };
/** Each says all of it in a quarter of a minute. */
const callSeconds = 180;
const testMinutes = 8;

const recognizer = hasFlite() ? findRecognizer() : null;

describe.skipIf(!recognizer)('a call with real speech', { tags: 'full' }, () => {
  let program: Program;
  let speech: SpeechServer;
  let prepared: Prepared;
  let callId: string;
  let killedAtMs: number;
  const open: Person[] = [];
  beforeAll(async () => {
    if (!recognizer) return;
    speech = await startRecognizer(recognizer);
    program = await startProgram({
      SPEECH_PROVIDER: 'openai-compatible',
      SPEECH_URL: speech.url,
      SPEECH_MODEL: recognizer.engine,
    });
    prepared = await prepareRoom(program.url, 'Transcribed');
    const { user, roomId } = prepared;
    const captures = { recording: 'start', transcript: 'start', analysis: 'start' };
    await user.send('PUT', `/api/rooms/${roomId}/capture-settings`, captures);
    callId = (await user.send<{ id: string }>('POST', '/api/calls', { roomId })).id;
  });
  afterAll(async () => {
    await Promise.all(open.map((person) => person.close()));
    if (program) await discard(program);
    speech?.close();
  });

  const visit = async (url: string, look: Look): Promise<Person> => {
    const person = await openBrowser(look);
    open.push(person);
    // Recognizing speech takes a core.
    person.context.setDefaultTimeout(until.timeout);
    await person.page.goto(url);
    return person;
  };
  const answer = async ({ page }: Person, agrees: boolean) => {
    const label = agrees ? 'Agree' : 'Decline';
    const choices = page.getByLabel(label, { exact: true });
    await choices.first().waitFor();
    for (const choice of await choices.all()) await choice.check();
    await page.getByRole('button', { name: 'Join', exact: true }).click();
  };
  const lines = async () =>
    (
      await prepared.user.send<{ lines: TranscriptLine[] }>(
        'GET',
        `/api/calls/${callId}/transcript`,
      )
    ).lines;
  const recording = () => prepared.user.send<Recording>('GET', `/api/calls/${callId}/recording`);
  const until = { timeout: testMinutes * 60_000 };

  const closeAll = () => Promise.all(open.splice(0).map((person) => person.close()));

  test(
    'two who agreed are captioned under their names, through the loss of the host’s tab',
    async () => {
      const ada = await visit(await hostUrl(prepared), {
        microphoneFile: spokenFile('slt', said.ada),
      });
      await answer(ada, true);
      const bo = await visit(prepared.guestUrl, { microphoneFile: spokenFile('rms', said.bo) });
      await bo.page.getByLabel('Your name').fill('Bo');
      // Browsers that encode pictures leave the recognizer less of this machine.
      await bo.page.getByRole('button', { name: 'Turn camera off' }).click();
      await answer(bo, true);
      const cy = await visit(prepared.guestUrl, { microphoneFile: spokenFile('awb', said.cy) });
      await cy.page.getByLabel('Your name').fill('Cy');
      await cy.page.getByRole('button', { name: 'Turn camera off' }).click();
      await answer(cy, false);
      const captionsOf = (person: Person, name: string) =>
        person.page.getByRole('log', { name: 'Captions' }).getByText(name, { exact: true }).first();
      await bo.page.getByRole('button', { name: 'Show captions' }).click();
      await captionsOf(bo, 'Ada Lovelace').waitFor(until);

      const { startedAt } = await prepared.user.send<{ startedAt: string }>(
        'GET',
        `/api/calls/${callId}`,
      );
      killedAtMs = Date.now() - Date.parse(startedAt);
      await ada.page.close();
      ada.page = await ada.context.newPage();
      await ada.page.goto(await hostUrl(prepared));
      await ada.page.getByRole('button', { name: 'Join', exact: true }).click();
      const isAfter = ({ name, startMs }: TranscriptLine) =>
        name === 'Ada Lovelace' && startMs > killedAtMs + 1000;
      await expect.poll(async () => (await lines()).some(isAfter), until).toBe(true);
      await expect
        .poll(async () => ((await lines()).at(-1)?.endMs ?? 0) / 1000, until)
        .toBeGreaterThan(callSeconds);
      // What is left of a recording is sent after leaving.
      for (const { page } of [cy, bo, ada])
        await page.getByRole('button', { name: 'Leave' }).click();
      for (const { page } of [bo, ada])
        await page.getByText('Your recording has been sent.').waitFor(until);
      await prepared.user.send('PUT', `/api/calls/${callId}`, { endForEveryone: true });
      await closeAll();
    },
    2 * testMinutes * 60_000,
  );

  test(
    'afterwards the transcript has at least 95 % of their words under their names, and none of the third',
    async () => {
      await expect.poll(async () => (await recording()).state, until).toBe('ready');
      const unaligned = `select 1 from recorded_media m join recorded_tracks t on t.id = m.track_id
        where t.call_id = $1 and m.aligned_at is null`;
      await expect.poll(async () => (await query(unaligned, [callId])).length, until).toBe(0);
      const all = await lines();
      const heard = (name: string, isIn: (line: TranscriptLine) => boolean = () => true) =>
        all.flatMap((line) => (line.name === name && isIn(line) ? [line.text] : [])).join(' ');
      const least = recognizer?.leastShare ?? 1;
      const [before, after] = [
        heard('Ada Lovelace', ({ startMs }) => startMs < killedAtMs),
        heard('Ada Lovelace', ({ startMs }) => startMs >= killedAtMs),
      ];
      for (const [phrases, text] of [
        [said.bo, heard('Bo')],
        [said.ada, before],
        [said.ada, after],
      ] as const)
        expect(heardOf(phrases, text).share, text).toBeGreaterThanOrEqual(least);
      expect(heardOf(said.bo, heard('Bo')).rounds).toBeGreaterThan(1);
      expect(new Set(all.map(({ name }) => name))).toEqual(new Set(['Ada Lovelace', 'Bo']));
      expect(heard('Bo')).not.toMatch(own.ada);
      expect(`${before} ${after}`).not.toMatch(own.bo);
      expect(all.map(({ text }) => text).join(' ')).not.toMatch(own.cy);
      expect((await recording()).people.map(({ name }) => name).toSorted()).toEqual([
        'Ada Lovelace',
        'Bo',
      ]);
    },
    testMinutes * 60_000,
  );

  test('the call’s page plays, and an action item leads to its second', async () => {
    const path = `/api/calls/${callId}/action-items`;
    const { actionItems } = await prepared.user.send<ActionItemList>(
      'POST',
      `${path}/generate`,
      {},
    );
    const item = actionItems.find(({ title }) => /contract/i.test(title));
    expect(item?.source).toMatchObject({ kind: 'line' });
    const cited = item?.source?.kind === 'line' ? item.source : null;
    const line = (await lines()).find(({ id }) => id === cited?.lineId);
    expect(line).toMatchObject({
      text: expect.stringMatching(/contract/i),
      startMs: cited?.startMs,
    });
    const ada = await openBrowser();
    open.push(ada);
    const { page } = ada;
    await prepared.user.signIn(ada);
    await page.goto(`${program.url}/app/calls/${callId}`);
    const slider = page.getByRole('slider', { name: 'Position' });
    const position = async () => Number(await slider.getAttribute('aria-valuenow'));
    await page.locator(`a[href*="t="]`).first().click();
    await expect.poll(position).toBeGreaterThan(0);
    const before = await position();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(position).toBeGreaterThan(before);
    await page.getByText('Bo', { exact: true }).first().waitFor();

    await page.goto(`${program.url}/app/search?q=chickens`);
    await page.getByRole('main').getByText('chickens').first().waitFor();
    await page.locator(`a[href*="${callId}?t="]`).first().click();
    await expect.poll(position, until).toBeGreaterThan(0);
    expect(ada.complaints).toEqual([]);
    await closeAll();
  });

  test('removing a person leaves nothing that they said, and deleting the recording nothing of anyone', async () => {
    expect(await placesOf('chickens')).not.toEqual([]);
    const { people } = await recording();
    const bo = people.find(({ name }) => name === 'Bo');
    await prepared.user.send(
      'DELETE',
      `/api/calls/${callId}/recording/people/${bo?.participantId}`,
    );
    expect([...new Set((await recording()).people.map(({ name }) => name))]).toEqual([
      'Ada Lovelace',
    ]);
    for (const word of ['chickens', 'struggle', 'finance department'])
      expect(await placesOf(word)).toEqual([]);
    expect(await placesOf('Hamburg')).not.toEqual([]);
    expect(storedFolders()).not.toEqual([]);
    await prepared.user.send('DELETE', `/api/calls/${callId}/recording`);
    for (const word of [
      'quarterly',
      'Hamburg',
      'the contract',
      'chickens',
      'pineapple',
      'wooden table',
    ])
      expect(await placesOf(word)).toEqual([]);
    expect(await lines()).toEqual([]);
    // A job deletes the files, each minute.
    await expect.poll(storedFolders, { timeout: 100_000 }).toEqual([]);
  });

  const query = async (text: string, values: unknown[] = []) => {
    const client = new pg.Client(ownerLogin(program.dataDir));
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  /** The tables that contain a text anywhere. */
  const placesOf = async (text: string): Promise<string[]> => {
    const tables = await query(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await query(`select 1 from ${name} x where x::text ilike $1 limit 1`, [
        `%${text}%`,
      ]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  };
  /** What the data folder has of recordings, without PostgreSQL's own files. */
  const storedFolders = () =>
    readdirSync(program.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /recordings|aligning|joining/.test(entry.parentPath))
      .map(({ parentPath, name }) => join(parentPath, name));
});
