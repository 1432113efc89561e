// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OfferedSpeechModel, SpeechModelState } from '#domain/speech-models/contract.ts';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { show } from '#web/testing/show.tsx';
import { LocalModelsCard } from './local-models-card.tsx';

const sha256 = 'ab'.repeat(32);
const model = (state: SpeechModelState, given: Partial<OfferedSpeechModel> = {}) => ({
  name: 'moonshine-tiny-en',
  license: 'MIT',
  languages: ['en', 'de'],
  sizeBytes: 120_000_000,
  files: [{ name: 'encoder', host: 'models.example', sizeBytes: 120_000_000, sha256 }],
  state,
  isUsed: false,
  ...given,
});

/** Shows the card; the server answers the states in turn, the last one again and again. */
function open(...states: SpeechModelState[]) {
  const left = [...states];
  const next = () => {
    const state = (left.length > 1 ? left.shift() : left[0]) ?? { kind: 'absent' as const };
    return { models: [model(state, { isUsed: state.kind === 'ready' })] };
  };
  const asked = fakeServer({
    'GET /api/speech-models': next,
    'PUT /api/speech-models/moonshine-tiny-en': next,
    'DELETE /api/speech-models/moonshine-tiny-en': refusal(409, {
      code: 'speech_model_in_use',
      message: 'Another organization on this server uses this model.',
    }),
    'GET /api/speech-service': { service: null },
  });
  show(<LocalModelsCard />, { path: '/app/settings/ai' });
  return { asked };
}
const row = () => screen.findByRole('listitem');

test('a model shows its size, license, languages, source, and hashes before it is fetched', async () => {
  open({ kind: 'absent' });
  const text = (await row()).textContent;
  for (const shown of ['120 MB', 'MIT', 'English, German', 'models.example', sha256])
    expect(text).toContain(shown);
});

test('one click fetches it, and the page follows the download until the model is in use', async () => {
  const { asked } = open(
    { kind: 'absent' },
    { kind: 'waiting' },
    { kind: 'fetching', receivedBytes: 42_000_000 },
    { kind: 'verifying', receivedBytes: 120_000_000 },
    { kind: 'ready' },
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Fetch model moonshine-tiny-en' }));
  await screen.findByText('The download starts in a moment. You can leave this page.');
  // The button is gone.
  expect(document.activeElement?.textContent).toContain('moonshine-tiny-en');
  const bar = await screen.findByRole('progressbar', {}, { timeout: 5000 });
  expect(bar.getAttribute('value')).toBe('35');
  expect(screen.getByText('42 MB of 120 MB (35%)')).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('moonshine-tiny-en: Fetching, 25%');
  await screen.findByText('Verifying', {}, { timeout: 5000 });
  await screen.findByText('In use', {}, { timeout: 5000 });
  expect(screen.queryByRole('button', { name: /Fetch/ })).toBeNull();
  expect(asked.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  const reads = asked.filter(({ path }) => path === '/api/speech-service');
  expect(reads.length).toBeGreaterThan(1);
}, 20_000);

test('a failure says why, and can be tried again', async () => {
  const { asked } = open({ kind: 'failed', reason: 'checksum' }, { kind: 'waiting' });
  await row();
  expect(screen.getByRole('status').textContent).toContain('doesn’t match its SHA-256');
  fireEvent.click(screen.getByRole('button', { name: 'Try again: moonshine-tiny-en' }));
  await screen.findByText('Waiting');
  expect(asked.some(({ method }) => method === 'PUT')).toBe(true);
});

test('an interrupted download says that it continues', async () => {
  open({ kind: 'interrupted', receivedBytes: 60_000_000 });
  const text = (await row()).textContent;
  expect(text).toContain('60 MB of 120 MB (50%)');
  expect(text).toContain('It’ll continue automatically.');
});

test('removing asks first, and tells when another organization uses the model', async () => {
  open({ kind: 'ready' });
  fireEvent.click(await screen.findByRole('button', { name: 'Remove moonshine-tiny-en' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain('This deletes 120 MB from the server.');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Remove' }));
  await waitFor(() =>
    expect(document.body.textContent).toContain('Another organization on this server uses'),
  );
});

test('without models of the operator, only the service is shown', async () => {
  fakeServer({
    'GET /api/speech-models': { models: [] },
    'GET /api/speech-service': {
      service: { kind: 'deepgram', recognizer: 'deepgram/nova-3', host: 'api.deepgram.com' },
    },
  });
  show(<LocalModelsCard />, { path: '/app/settings/ai' });
  await screen.findByText('api.deepgram.com');
  expect(screen.queryByText('Local models')).toBeNull();
});
