// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Role } from '#domain/auth/permissions.ts';
import { OrganizationCaptureCard } from '#web/consent/capture-cards.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show } from '#web/testing/show.tsx';

const settings = (browserRecognition: boolean) => ({
  ...{ recording: 'off', transcript: 'off', analysis: 'off' },
  browserRecognition,
});
const deepgram = { kind: 'deepgram', recognizer: 'deepgram/nova-3', host: 'api.deepgram.com' };

function open(service: object | null, role: Role = 'ORGADMIN') {
  const asked = fakeServer({
    'GET /api/capture-settings': settings(false),
    'PUT /api/capture-settings': settings(true),
    'GET /api/speech-service': { service },
  });
  show(<OrganizationCaptureCard />, { path: '/app/settings', user: { ...ada, role } });
  return asked;
}
const browsers = { name: /Transcripts by participants’ browsers/ };

test('without a speech service, an admin can let browsers recognize speech, and transcripts can be chosen then', async () => {
  const asked = open(null);
  const input = await screen.findByRole<HTMLInputElement>('switch', browsers);
  expect(input.checked).toBe(false);
  expect(screen.queryByLabelText('Transcript of calls')).toBeNull();
  fireEvent.click(input);
  await screen.findByLabelText('Transcript of calls');
  expect(input.checked).toBe(true);
  const [change] = asked.filter(({ method }) => method === 'PUT');
  expect(change?.body).toEqual({ browserRecognition: true });
});

test('with a speech service, it is not offered', async () => {
  open(deepgram);
  await screen.findByLabelText('Transcript of calls');
  expect(screen.queryByRole('switch', browsers)).toBeNull();
});

test('agents see it, and cannot switch it', async () => {
  open(null, 'AGENT');
  const input = await screen.findByRole<HTMLInputElement>('switch', browsers);
  expect(input.disabled).toBe(true);
});
