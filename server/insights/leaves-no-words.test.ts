import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  listActionItems,
  regenerateActionItems,
  updateActionItem,
} from '#domain/action-items/contract.ts';
import { type CallId, participantId } from '#domain/ids.ts';
import { generateInsights, readInsights } from '#domain/insights/contract.ts';
import { removeFromRecording } from '#domain/recordings/contract.ts';
import { forgetWords } from '#server/search/forget-words.ts';
import { ModelStandIn, type ReadLine } from '#server/testing/model-stand-in.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { endedCall, type Spoken, spokenCall } from '#server/testing/spoken-call.ts';
import { newOrganization } from '#server/testing/visitor.ts';
import { generateMissingInsights } from './jobs.ts';

const standIn = new ModelStandIn();
let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  const AI_URL = await standIn.listen();
  app = await openTestApp({ AI_URL, AI_MODEL: 'small', AI_KEY: 'a key for the model' });
  ada = await newOrganization(app);
  standIn.react = ({ instructions, lines }) =>
    /topics/.test(instructions) ? said(lines) : items(lines);
});
afterAll(async () => {
  await app.close();
  await standIn.close();
});

const cite = ({ ref, text }: ReadLine) => [{ ref, quote: text }];
/** Repeats each line, as its sentence and as its quotation. */
const said = (lines: ReadLine[]) => ({
  summary: lines.map((line) => ({ text: line.text, cites: cite(line) })),
  topics: lines.map((line) => ({ text: line.text, cites: cite(line) })),
  questions: lines.map((line) => ({
    text: line.text,
    cites: cite(line),
    isOpen: true,
    askedBy: null,
  })),
});
const items = (lines: ReadLine[]) => ({
  actionItems: lines.map((line) => ({
    title: line.text,
    priority: 'high',
    owner: line.speaker ?? null,
    due: 'Friday',
    dueOn: null,
    cites: cite(line),
  })),
});

const phrases: Spoken[] = [
  { speaker: 'Bosworth', kind: 'guest', text: 'I order one platypus on Friday.' },
  { speaker: 'Cleopatra', kind: 'guest', text: 'I order the marmalade on Friday.' },
  { speaker: 'Bosworth', kind: 'guest', text: 'I order two platypus crates on Monday.' },
  { speaker: 'Bosworth', kind: 'guest', text: 'I order three platypus crates on Monday.' },
];

/** Returns the tables with a row that contains the text, and whether a stored file does. */
async function placesWith(text: string): Promise<string[]> {
  await forgetWords(app.services);
  const { rows } = await app.owner.query(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r'`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await app.owner.query(
      `select 1 from "${name}" t where t::text ilike '%' || $1 || '%' limit 1`,
      [text],
    );
    if (rowCount) found.push(name);
  }
  const files = existsSync(app.filesFolder)
    ? readdirSync(app.filesFolder, { recursive: true, withFileTypes: true })
    : [];
  const hasFile = files.some(
    (file) => file.isFile() && readFileSync(join(file.parentPath, file.name)).includes(text),
  );
  return hasFile ? [...found, 'a file'] : found;
}

/** A call with a transcript, insights, and action items of which members have touched three. */
async function understoodCall() {
  const { id } = await spokenCall(app, ada, phrases);
  await endedCall(app, ada, id);
  await generateMissingInsights(app.services, new Date());
  const { actionItems } = await ada.call(regenerateActionItems, { params: { id }, body: {} });
  const change = (at: number, body: object) =>
    ada.call(updateActionItem, { params: { id: actionItems[at]?.id ?? ('' as never) }, body });
  for (const at of [0, 1]) await change(at, { isCompleted: true });
  await change(2, { dueOn: '2027-01-04' });
  await change(3, { title: 'Call the zoo' });
  const { rows } = await app.owner.query(
    `select distinct participant_id as id from transcript_lines where call_id = $1 and name = 'Bosworth'`,
    [id],
  );
  const bosworth = participantId.parse(rows[0].id);
  await app.owner.query(
    `insert into transcript_gaps (org_id, call_id, participant_id, failure) values ($1, $2, $3, 'busy')`,
    [ada.user.orgId, id, bosworth],
  );
  return { id, bosworth };
}
const derived = [
  'action_items',
  'call_insights',
  'search_texts',
  'search_words',
  'transcript_lines',
];
const titles = async (id: CallId) =>
  (await ada.call(listActionItems, { params: { id } })).actionItems.map(({ title }) => title);

test('R15-5: after a person is removed from a call, no table has a word that they said', async () => {
  const { id, bosworth } = await understoodCall();
  expect((await placesWith('platypus')).filter((name) => derived.includes(name)).sort()).toEqual(
    derived,
  );
  await ada.call(removeFromRecording, { params: { id, participantId: bosworth } });
  expect(await placesWith('platypus')).toEqual([]);
  const named = (await placesWith(bosworth)).filter((name) => !name.startsWith('audit_events'));
  expect(named).toEqual(['consents']);
  expect(await placesWith('Bosworth')).toEqual(['consents']);
  // What a member wrote, and what others said.
  expect((await titles(id)).sort()).toEqual(['Call the zoo', 'I order the marmalade on Friday.']);
  await ada.call(generateInsights, { params: { id }, body: {} });
  await expect
    .poll(async () => (await ada.call(readInsights, { params: { id } })).state, { timeout: 10_000 })
    .toBe('ready');
  expect(await placesWith('platypus')).toEqual([]);
  expect((await placesWith('marmalade')).sort()).toEqual(derived);
});

test('R15-5: after a guest is erased, receipts keep the answers without the name', async () => {
  const { bosworth } = await understoodCall();
  await app.owner.query(
    `insert into attendances (id, org_id, call_id, kind, name)
      select distinct participant_id, org_id, call_id, 'guest', name from transcript_lines
      where participant_id = $1`,
    [bosworth],
  );
  expect(await ada.send('GET', '/api/privacy/person?guest=Bosworth')).toMatchObject({
    body: { consents: expect.arrayContaining([expect.objectContaining({ name: 'Bosworth' })]) },
  });
  await ada.send('POST', '/api/privacy/erase', { guest: 'Bosworth' });
  expect(await placesWith('Bosworth')).toEqual([]);
  expect(await placesWith('platypus')).toEqual([]);
  const { rows } = await app.owner.query(
    'select name, agreed from consents where participant_id = $1',
    [bosworth],
  );
  expect(rows).toEqual([{ name: 'Deleted person', agreed: ['transcript', 'analysis'] }]);
});

test('R15-5: after a call is deleted, nothing that was said in it is left', async () => {
  const { id } = await understoodCall();
  await app.owner.query('delete from calls where id = $1', [id]);
  expect(await placesWith('platypus')).toEqual([]);
  expect((await placesWith(id)).filter((name) => !name.startsWith('audit_events'))).toEqual([]);
});
