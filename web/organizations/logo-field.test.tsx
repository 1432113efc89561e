// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Role } from '#domain/auth/permissions.ts';
import { SettingsPage } from '#web/organizations/settings-page.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';

const path = `/api/organizations/${someId(2)}`;
const organization = {
  id: someId(2),
  name: 'Analytical Engines',
  brandColor: '#facc15',
  plan: 'starter',
  logoUrl: null as string | null,
};

/** A request that the test answers. */
class FakeRequest {
  static sent: FakeRequest[] = [];
  upload: { onprogress?: (event: object) => void } = {};
  onload = () => {};
  onerror = () => {};
  status = 0;
  statusText = '';
  responseText = '';
  responseType = '';
  address = '';
  file: unknown;
  open(method: string, address: string) {
    this.address = `${method} ${address}`;
  }
  send(form: FormData) {
    this.file = form.get('file');
    FakeRequest.sent.push(this);
  }
  answer(status: number, body: object) {
    Object.assign(this, { status, responseText: JSON.stringify(body) });
    act(() => this.onload());
  }
}

beforeEach(() => {
  FakeRequest.sent = [];
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  URL.createObjectURL = () => 'blob:preview';
  URL.revokeObjectURL = () => {};
});
afterEach(() => vi.unstubAllGlobals());

async function open(logoUrl: string | null = null, role: Role = 'ORGADMIN') {
  const asked = fakeServer({
    [`GET ${path}`]: { ...organization, logoUrl },
    [`DELETE ${path}/logo`]: organization,
    'GET /api/capture-settings': {
      recording: 'off',
      transcript: 'off',
      analysis: 'off',
      browserRecognition: false,
    },
    'GET /api/speech-service': { service: null },
    'GET /api/crm-connections': [],
  });
  const { by } = show(<SettingsPage />, { path: '/app/settings', user: { ...ada, role } });
  const section = await screen.findByRole('region', { name: 'Logo' });
  return { by, asked, section };
}
const png = new File(['x'], 'logo.png', { type: 'image/png' });
const choose = (file: File) =>
  fireEvent.change(screen.getByLabelText('Choose a logo'), { target: { files: [file] } });
const sent = () => FakeRequest.sent[0] ?? new FakeRequest();

test('a chosen file is shown and sent with its progress, and then is the logo', async () => {
  const { section } = await open();
  choose(png);
  expect(screen.getByAltText('Your logo').getAttribute('src')).toBe('blob:preview');
  await waitFor(() => expect(FakeRequest.sent.length).toBe(1));
  expect([sent().address, sent().file]).toEqual([`POST ${path}/logo`, png]);
  act(() => sent().upload.onprogress?.({ lengthComputable: true, loaded: 40, total: 100 }));
  expect(within(section).getByText('Uploading… 40 %')).toBeTruthy();
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('40');
  expect(screen.getByRole('button', { name: 'Upload logo' }).hasAttribute('disabled')).toBe(true);
  sent().answer(200, { ...organization, logoUrl: '/logos/1.png' });
  expect(await screen.findByText('Logo saved')).toBeTruthy();
  await waitFor(() =>
    expect(screen.getByAltText('Your logo').getAttribute('src')).toBe('/logos/1.png'),
  );
});

test('a dropped file is sent, too', async () => {
  const { section } = await open();
  fireEvent.drop(section, { dataTransfer: { files: [png] } });
  await waitFor(() => expect(sent().file).toBe(png));
});

test.each([
  ['a GIF', new File(['x'], 'a.gif', { type: 'image/gif' }), /PNG, JPEG, WebP or SVG file/],
  ['3 MB', new File([new Uint8Array(3e6)], 'a.png', { type: 'image/png' }), /larger than 2 MB/],
])('%s is not sent, and the reason is shown', async (_, file, message) => {
  await open();
  choose(file);
  expect((await screen.findByRole('alert')).textContent).toMatch(message);
  expect(FakeRequest.sent).toEqual([]);
});

test('the server’s refusal is shown, and the logo stays', async () => {
  await open('/logos/1.png');
  choose(png);
  await waitFor(() => expect(FakeRequest.sent.length).toBe(1));
  sent().answer(415, { status: 415, message: 'This picture could not be read.' });
  expect((await screen.findByRole('alert')).textContent).toBe('This picture could not be read.');
  expect(screen.getByAltText('Your logo').getAttribute('src')).toBe('/logos/1.png');
});

test('a network failure is reported', async () => {
  await open();
  choose(png);
  await waitFor(() => expect(FakeRequest.sent.length).toBe(1));
  act(() => sent().onerror());
  expect((await screen.findByRole('alert')).textContent).toMatch(/couldn’t reach the server/);
});

test('removing asks for confirmation', async () => {
  const { by, asked } = await open('/logos/1.png');
  await by.click(screen.getByRole('button', { name: 'Remove' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await by.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Logo removed')).toBeTruthy();
  expect(asked.at(-1)).toMatchObject({ method: 'DELETE', path: `${path}/logo` });
  await waitFor(() => expect(screen.queryByAltText('Your logo')).toBe(null));
});

test.each(['AGENT', 'VIEWER'] as const)('%s sees the logo and cannot change it', async (role) => {
  const { section } = await open('/logos/1.png', role);
  expect(screen.getByAltText('Your logo')).toBeTruthy();
  expect(within(section).queryByRole('button')).toBe(null);
  fireEvent.drop(section, { dataTransfer: { files: [png] } });
  expect(FakeRequest.sent).toEqual([]);
});
