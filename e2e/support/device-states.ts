import type { Page } from 'playwright-core';

/** The outcome of a request for camera and microphone. */
export type DeviceState =
  | 'given'
  | 'asking'
  | 'missing'
  | 'blocked'
  | 'blockedBySystem'
  | 'dismissed'
  | 'busy'
  | 'unsuitable'
  | 'cameraBusy';

/** Makes the page's browser answer as the test sets it: a real refusal needs a person. */
export async function answerDevices(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const given = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    const query = navigator.permissions.query.bind(navigator.permissions);
    const state = () => sessionStorage.getItem('devices') ?? 'given';
    const errors: Record<string, [string, string]> = {
      missing: ['NotFoundError', 'Requested device not found'],
      blocked: ['NotAllowedError', 'Permission denied'],
      blockedBySystem: ['NotAllowedError', 'Permission denied by system'],
      dismissed: ['NotAllowedError', 'Permission dismissed'],
      busy: ['NotReadableError', 'Could not start video source'],
      unsuitable: ['OverconstrainedError', ''],
    };
    navigator.mediaDevices.getUserMedia = async (wish) => {
      const now = state();
      const answer = now === 'cameraBusy' && wish?.video ? 'busy' : now;
      if (answer === 'asking') return new Promise(() => {});
      const [name, message] = errors[answer] ?? [];
      if (name) throw new DOMException(message, name);
      return given(wish);
    };
    navigator.permissions.query = async (what) => {
      const status = await query(what);
      const shown = { asking: 'prompt', blocked: 'denied' }[state()];
      if (shown) Object.defineProperty(status, 'state', { value: shown, configurable: true });
      return status;
    };
  });
}

/** Reloads the page's address in that state. */
export async function openWith(page: Page, state: DeviceState, on = true): Promise<void> {
  await page.evaluate(
    ([now, wished]) => {
      sessionStorage.setItem('devices', now);
      const choice = { skipPreview: false, audio: wished, video: wished };
      localStorage.setItem('rapport.meet', JSON.stringify(choice));
    },
    [state, on] as const,
  );
  await page.reload();
}
