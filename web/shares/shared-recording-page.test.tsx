// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { sharedRecording } from '#domain/shares/contract.ts';
import { AppRoutes } from '#web/routes.tsx';
import { fakeServer, refusal } from '#web/testing/fake-server.ts';
import { show, someId } from '#web/testing/show.tsx';

const shared = (changed: object = {}) =>
  sharedRecording.parse({
    title: 'The offer',
    organization: { name: 'Acme', brandColor: '#123456', logoUrl: null },
    clip: { startMs: 10_000, endMs: 25_000 },
    expiresAt: '2026-03-10T10:00:00Z',
    durationMs: 60_000,
    people: [
      {
        participantId: someId(11),
        name: 'Grace',
        kind: 'guest',
        tracks: [
          {
            id: someId(21),
            source: 'camera',
            files: [
              {
                id: someId(31),
                state: 'ready',
                url: '/media/31',
                posterUrl: null,
                mimeType: 'video/mp4',
                hasVideo: true,
                startMs: 4000,
                durationMs: 56_000,
                sizeBytes: 1,
                waveform: [],
              },
            ],
          },
        ],
      },
    ],
    ...changed,
  });
const open = (answer: object) => {
  fakeServer({ 'GET /api/shared-recordings/abc': answer });
  return show(<AppRoutes />, { path: '/shared/abc', user: null });
};

beforeEach(() => {
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockReturnValue();
});

test('someone without an account plays a clip from its start to its end, and nothing else', async () => {
  open(shared());
  expect(await screen.findByRole('heading', { name: 'The offer' }, { timeout: 8000 })).toBeTruthy();
  expect(screen.getByText('Shared by Acme')).toBeTruthy();
  const slider = await screen.findByRole('slider', { name: 'Position' });
  expect(slider.getAttribute('aria-valuetext')).toBe('0:00 of 0:15');
  // The clip begins six seconds into the file.
  expect(document.querySelector('video')?.currentTime).toBe(6);
  expect(screen.queryByRole('button', { name: 'Share' })).toBe(null);
  expect(screen.queryByRole('searchbox')).toBe(null);
});

test.each([
  [refusal(410), 'This link has expired or was revoked'],
  [refusal(404), 'This link doesn’t work'],
  [refusal(500, { message: 'Down' }), 'We couldn’t load the recording'],
  [shared({ people: [], clip: null }), 'There’s nothing to play yet'],
])('%#: a link that plays nothing says why', async (answer, text) => {
  open(answer);
  expect(await screen.findByText(text, {}, { timeout: 8000 })).toBeTruthy();
});
