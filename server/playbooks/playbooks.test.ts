import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPlaybook, listPlaybooks } from '#domain/playbooks/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization } from '#server/testing/visitor.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
});
afterAll(() => app.close());

const item = (text: string) => ({ text });

test('a playbook keeps its items in the given order', async () => {
  const made = await ada.call(createPlaybook, {
    body: {
      title: ' Onboarding ',
      description: ' First call ',
      checklistItems: ['c', 'a', 'b'].map(item),
    },
  });
  expect(made).toMatchObject({
    title: 'Onboarding',
    description: 'First call',
    checklistItems: [
      { text: 'c', order: 0 },
      { text: 'a', order: 1 },
      { text: 'b', order: 2 },
    ],
  });
  expect(await ada.call(listPlaybooks)).toEqual([made]);
});

test('the description is optional', async () => {
  const { description } = await ada.call(createPlaybook, {
    body: { title: 'Short', checklistItems: [item('a')] },
  });
  expect(description).toBeNull();
});

test.each([
  [{ title: '' }, 'title', 'Title is required'],
  [{ title: undefined }, 'title', 'Title is required'],
  [{ checklistItems: [] }, 'checklistItems', 'At least one checklist item is required'],
  [{ checklistItems: undefined }, 'checklistItems', 'At least one checklist item is required'],
  [{ checklistItems: [item('a'), item(' ')] }, 'checklistItems.1.text', 'Item text is required'],
  [{ checklistItems: [{}] }, 'checklistItems.0.text', 'Item text is required'],
  [
    { checklistItems: Array(201).fill(item('a')) },
    'checklistItems',
    'A playbook can have at most 200 items',
  ],
])(
  '%j is refused with the message of the spec, and nothing is stored',
  async (wrong, path, message) => {
    const body = { title: 'T', checklistItems: [item('a')], ...wrong };
    expect(await ada.send('POST', '/api/playbooks', body)).toMatchObject({
      status: 400,
      body: { message, errors: [{ path, message }] },
    });
    expect(await ada.call(listPlaybooks)).toEqual([]);
  },
);

test('two hundred items are stored', async () => {
  const { checklistItems } = await ada.call(createPlaybook, {
    body: { title: 'Long', checklistItems: Array.from({ length: 200 }, (_, n) => item(`${n}`)) },
  });
  expect(checklistItems).toHaveLength(200);
});

test('markup is stored as typed', async () => {
  const title = '<script>alert(1)</script> & "quotes" 👩‍🚀';
  await ada.call(createPlaybook, { body: { title, checklistItems: [item(title)] } });
  expect(await ada.call(listPlaybooks)).toMatchObject([
    { title, checklistItems: [{ text: title }] },
  ]);
});

test('the list is paged by key, newest first, each playbook once', async () => {
  for (const n of [1, 2, 3, 4, 5]) {
    await ada.call(createPlaybook, { body: { title: `${n}`, checklistItems: [item('a')] } });
  }
  const titles: string[] = [];
  let next: string | undefined = '/api/playbooks?limit=2';
  while (next) {
    const { body, headers } = await ada.send('GET', next);
    titles.push(...(body as { title: string }[]).map((playbook) => playbook.title));
    next = /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1];
  }
  expect(titles).toEqual(['5', '4', '3', '2', '1']);
});

test('R13-4: a page of playbooks ends after 2,000 items, and the next one continues', async () => {
  const checklistItems = Array.from({ length: 200 }, () => item('x'));
  const made: string[] = [];
  for (let n = 0; n < 11; n += 1) {
    const body = { title: `Long ${n}`, checklistItems };
    made.unshift((await ada.call(createPlaybook, { body })).id);
  }
  const first = await ada.send('GET', '/api/playbooks?limit=200');
  expect((first.body as { id: string }[]).map(({ id }) => id)).toEqual(made.slice(0, 10));
  const next = /^<(.+)>; rel="next"$/.exec(String(first.headers.link))?.[1] ?? '';
  const second = await ada.send('GET', next);
  expect((second.body as { id: string }[]).map(({ id }) => id)).toEqual(made.slice(10));
  expect(second.headers.link).toBeUndefined();
});

test('R5-4: a page of long playbooks ends after a megabyte of items', async () => {
  const long = Array.from({ length: 200 }, (_, n) => item(`${'語'.repeat(490)}${n}`));
  const made: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const body = { title: `Long ${n}`, checklistItems: long };
    made.unshift((await ada.call(createPlaybook, { body })).id);
  }
  const first = await ada.send('GET', '/api/playbooks?limit=200');
  expect((first.body as { id: string }[]).map(({ id }) => id)).toEqual(made.slice(0, 3));
  const next = /^<(.+)>; rel="next"$/.exec(String(first.headers.link))?.[1] ?? '';
  const second = await ada.send('GET', next);
  expect((second.body as { id: string }[]).map(({ id }) => id)).toEqual(made.slice(3));
  expect(second.headers.link).toBeUndefined();
});

test('R32-C2: a page of playbooks ends after a megabyte of descriptions, too', async () => {
  const body = { title: 'Long', description: '語'.repeat(2000), checklistItems: [item('x')] };
  const { id } = await ada.call(createPlaybook, { body });
  await app.owner.query(
    `insert into playbooks
      select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid()))).*
      from playbooks p, generate_series(1, 169) where p.id = $1`,
    [id],
  );
  const first = await ada.send('GET', '/api/playbooks?limit=200');
  expect(first.body).toHaveLength(166);
  const next = /^<(.+)>; rel="next"$/.exec(String(first.headers.link))?.[1] ?? '';
  expect((await ada.send('GET', next)).body).toHaveLength(4);
});
