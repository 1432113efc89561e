// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { englishTemplates } from '#domain/playbooks/templates/english.ts';
import { PlaybooksPage } from '#web/playbooks/playbooks-page.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show } from '#web/testing/show.tsx';
import { somePlaybook } from '#web/testing/some.ts';

const { renewal, salesHandover } = englishTemplates;
const serve = () =>
  fakeServer({ 'GET /api/playbooks': [], 'POST /api/playbooks': somePlaybook(['One']) });
const posted = (asked: ReturnType<typeof fakeServer>) =>
  asked.find(({ method }) => method === 'POST')?.body;
const bodyOf = ({ title, description, steps }: typeof renewal) => ({
  title,
  description,
  checklistItems: steps.map((text) => ({ text })),
});

test('the empty page offers six templates, and one click creates a playbook from one', async () => {
  const asked = serve();
  const { by } = show(<PlaybooksPage />, { path: '/app/playbooks' });
  expect(await screen.findAllByRole('button', { name: /^Use this template: / })).toHaveLength(6);
  await by.click(screen.getByRole('button', { name: `Use this template: ${renewal.title}` }));
  await waitFor(() => expect(posted(asked)).toEqual(bodyOf(renewal)));
  expect(await screen.findByText('Playbook created successfully')).toBeTruthy();
});

test('a viewer is offered no templates', async () => {
  serve();
  show(<PlaybooksPage />, { path: '/app/playbooks', user: { ...ada, role: 'VIEWER' } });
  await screen.findByText('No playbooks yet');
  expect(screen.queryByRole('button', { name: /template/i })).toBe(null);
});

test('in the dialog a template fills in the form, until something else was typed', async () => {
  const asked = serve();
  const { by } = show(<PlaybooksPage />, { path: '/app/playbooks?new' });
  const template = () => screen.queryByLabelText(/^Template/);
  await by.selectOptions(await screen.findByLabelText(/^Template/), renewal.title);
  await by.selectOptions(await screen.findByLabelText(/^Template/), salesHandover.title);
  expect(screen.getByLabelText('Title')).toHaveProperty('value', salesHandover.title);
  expect(screen.getByLabelText('Item 8')).toHaveProperty('value', salesHandover.steps[7]);
  await by.type(screen.getByLabelText('Title'), ' (EMEA)');
  expect(template()).toBe(null);
  await by.click(screen.getByRole('button', { name: 'Create Playbook' }));
  const title = `${salesHandover.title} (EMEA)`;
  await waitFor(() => expect(posted(asked)).toEqual({ ...bodyOf(salesHandover), title }));
});
