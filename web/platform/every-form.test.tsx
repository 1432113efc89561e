// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { callId } from '#domain/ids.ts';
import { NpsDialog } from '#web/calls/nps-dialog.tsx';
import { SettingsPage } from '#web/organizations/settings-page.tsx';
import { CreatePlaybookDialog } from '#web/playbooks/create-playbook-dialog.tsx';
import { PlaybookList } from '#web/playbooks/playbook-list.tsx';
import { CreateRoomDialog } from '#web/rooms/create-room-dialog.tsx';
import { RoomList } from '#web/rooms/room-list.tsx';
import { InviteButton } from '#web/team/invite-button.tsx';
import { type Asked, fakeServer, signedOut } from '#web/testing/fake-server.ts';
import { ada, show, someId } from '#web/testing/show.tsx';
import { someCall, somePlaybook, someRoom } from '#web/testing/some.ts';

type By = ReturnType<typeof show>['by'];
interface Form {
  name: string;
  ui: ReactNode;
  path: string;
  /** The request that sends it, and the answer. */
  sends: string;
  answer: object;
  submit: string;
  /** The field that is typed into, and its value afterwards. */
  field: string;
  also?: (by: By) => Promise<void>;
}

const playbook = somePlaybook(['Greet']);
const room = someRoom();
const call = callId.parse(someId(50));
const organization = { id: someId(2), name: 'Acme', brandColor: '#123456', plan: 'starter' };
const invitation = {
  id: someId(60),
  email: 'grace@example.com',
  role: 'AGENT',
  createdAt: '',
  expiresAt: '',
  url: 'https://x/invite/y',
  mailed: false,
};
const reads = {
  'GET /api/crm-connections': [],
  'GET /api/rooms': [room],
  'GET /api/playbooks': [playbook],
  [`GET /api/playbooks/${playbook.id}`]: playbook,
  [`GET /api/organizations/${someId(2)}`]: organization,
  'GET /api/user': ada,
  'GET /api/capture-settings': {
    recording: 'off',
    transcript: 'off',
    analysis: 'off',
    browserRecognition: false,
  },
  'GET /api/speech-service': { service: null },
};
const typed = 'grace@example.com';

const forms: Form[] = [
  {
    name: 'Create Room',
    ui: <CreateRoomDialog />,
    path: '/app/rooms?room',
    sends: 'POST /api/rooms',
    answer: room,
    submit: 'Create & Join',
    field: 'Room Topic',
  },
  {
    name: 'Edit Room',
    ui: <RoomList />,
    path: `/app/rooms?edit=${room.id}`,
    sends: `PATCH /api/rooms/${room.id}`,
    answer: room,
    submit: 'Save Changes',
    field: 'Room Topic',
  },
  {
    name: 'Create Playbook',
    ui: <CreatePlaybookDialog />,
    path: '/app/playbooks?new',
    sends: 'POST /api/playbooks',
    answer: playbook,
    submit: 'Create Playbook',
    field: 'Title',
    also: (by) => by.type(screen.getByLabelText('New item'), 'Greet{Enter}'),
  },
  {
    name: 'Edit Playbook',
    ui: <PlaybookList />,
    path: `/app/playbooks?edit=${playbook.id}`,
    sends: `PUT /api/playbooks/${playbook.id}`,
    answer: playbook,
    submit: 'Save Changes',
    field: 'Title',
  },
  {
    name: 'Invite Member',
    ui: <InviteButton />,
    path: '/app/settings/team?invite',
    sends: 'POST /api/users/invite',
    answer: invitation,
    submit: 'Send Invitation',
    field: 'Email',
  },
  {
    name: 'Settings',
    ui: <SettingsPage />,
    path: '/app/settings',
    sends: `PUT /api/organizations/${someId(2)}`,
    answer: { ...organization, name: typed },
    submit: 'Save Changes',
    field: 'Organization name',
  },
  {
    name: 'NPS',
    ui: <NpsDialog callId={call} onDone={() => {}} />,
    path: '/app/calls/x?rate',
    sends: `PUT /api/calls/${call}`,
    answer: someCall(),
    submit: 'Submit',
    field: 'Feedback',
    also: (by) => by.click(screen.getByRole('radio', { name: '7' })),
  },
];

const user = { ...ada, role: 'ORGADMIN' as const };
const open = ({ ui, path }: Form) => show(ui, { path, user });
const fieldOf = ({ field }: Form) =>
  screen.findByLabelText<HTMLInputElement>(new RegExp(`^${field}`));
const sentOf = (asked: Asked[], { sends }: Form) =>
  asked.filter(({ method, path }) => `${method} ${path}` === sends);

async function fill(by: By, form: Form) {
  const field = await fieldOf(form);
  await by.clear(field);
  await by.type(field, typed);
  await form.also?.(by);
}
const submitOf = ({ submit }: Form) => screen.getByRole('button', { name: submit });

/** Whether the browser asks before the page is closed. */
function isHeld(): boolean {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
}

beforeEach(() => {
  vi.spyOn(window.location, 'assign').mockImplementation(() => {});
});

describe.each(forms)('$name', (form) => {
  test('a failed request keeps the input, and trying again sends it', async () => {
    let works = false;
    const asked = fakeServer({
      ...reads,
      [form.sends]: () => {
        if (works) return form.answer;
        throw new TypeError('Failed to fetch');
      },
    });
    const { by } = open(form);
    await fill(by, form);
    await by.click(submitOf(form));
    expect(await screen.findByText('We couldn’t reach the server.')).toBeTruthy();
    expect((await fieldOf(form)).value).toBe(typed);
    works = true;
    await by.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(sentOf(asked, form).length).toBe(2));
    const [first, second] = sentOf(asked, form);
    expect(second?.body).toEqual(first?.body);
  });

  test('several clicks send one request', async () => {
    let answer = (_: Response) => {};
    const asked = fakeServer({
      ...reads,
      [form.sends]: () =>
        new Promise<Response>((resolve) => {
          answer = resolve;
        }),
    });
    const { by } = open(form);
    await fill(by, form);
    const button = submitOf(form);
    button.click();
    button.click();
    await waitFor(() => expect(sentOf(asked, form).length).toBe(1));
    await by.dblClick(button);
    answer(Response.json(form.answer));
    await waitFor(() => expect(Object.keys(sessionStorage)).toEqual([]));
    expect(sentOf(asked, form).length).toBe(1);
  });

  test('the input is restored after the session expired', async () => {
    const asked = fakeServer({ ...reads, [form.sends]: signedOut });
    const { by, unmount } = open(form);
    await fill(by, form);
    await by.click(submitOf(form));
    await screen.findByText('You are logged out. Logging in again...');
    await waitFor(() => expect(window.location.assign).toHaveBeenCalled());
    expect(sentOf(asked, form).length).toBe(1);
    unmount();
    open(form);
    const field = await fieldOf(form);
    await waitFor(() => expect(field.value).toBe(typed));
  });

  test('the browser asks before the page is closed, once something is typed', async () => {
    fakeServer(reads);
    const { by } = open(form);
    await fieldOf(form);
    expect(isHeld()).toBe(false);
    await fill(by, form);
    expect(isHeld()).toBe(true);
  });

  test('saved input is not held back while the lists that show it are read again', async () => {
    let isSaved = false;
    const readOnce = Object.entries(reads).map(([route, answer]) => [
      route,
      () => (isSaved ? new Promise<Response>(() => {}) : answer),
    ]);
    fakeServer({
      ...Object.fromEntries(readOnce),
      [form.sends]: () => {
        isSaved = true;
        return form.answer;
      },
    });
    const { by } = open(form);
    await fill(by, form);
    await by.click(submitOf(form));
    await waitFor(() => expect(isSaved && !isHeld()).toBe(true));
  });
});
