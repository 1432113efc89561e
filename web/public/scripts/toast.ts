import { type ToastContent, toastDurationMs } from '#web/ui/toast-store.ts';

/** Spec section 9, Notifications. */
const swipeThresholdPx = 50;
const hotkey = 'F8';

/**
 * Shows a message in `region`, an element with a live region inside and the label of the close button in
 * `data-close`. Public pages run without React, so this does what the application's toaster does: a click, Escape, a
 * swipe to the right or the end of its time closes the message, and F8 moves the focus to it.
 */
export function showToast(region: HTMLElement, { title, description }: ToastContent): void {
  const item = document.createElement('div');
  item.className = 'toast-item';
  const text = document.createElement('div');
  text.append(paragraph(title, 'font-semibold'), paragraph(description ?? ''));
  const close = document.createElement('button');
  close.type = 'button';
  close.ariaLabel = region.dataset.close ?? '';
  close.textContent = '×';
  item.append(text, close);
  region.querySelector('[role=status]')?.replaceChildren(item);

  const over = new AbortController();
  const { signal } = over;
  let before: Element | null = null;
  const dismiss = () => {
    const hadFocus = region.contains(document.activeElement);
    over.abort();
    item.remove();
    if (hadFocus && before instanceof HTMLElement) before.focus();
  };
  close.addEventListener('click', dismiss);
  whileUnattended(region, signal, dismiss);
  onSwipe(item, dismiss);
  document.addEventListener(
    'keydown',
    ({ key }) => {
      if (key === hotkey) {
        before = document.activeElement;
        region.focus();
      }
      if (key === 'Escape' && region.contains(document.activeElement)) dismiss();
    },
    { signal },
  );
}

function paragraph(content: string, className = ''): HTMLElement {
  const element = document.createElement('p');
  element.className = className;
  element.textContent = content;
  return element;
}

/** Calls `act` once the message has stood for its time. The time starts again after a pointer or the focus was on it. */
function whileUnattended(region: HTMLElement, signal: AbortSignal, act: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const start = () => {
    stop();
    timer = setTimeout(act, toastDurationMs);
  };
  for (const type of ['pointerenter', 'focusin']) region.addEventListener(type, stop, { signal });
  for (const type of ['pointerleave', 'focusout']) region.addEventListener(type, start, { signal });
  signal.addEventListener('abort', stop);
  start();
}

function onSwipe(item: HTMLElement, act: () => void): void {
  let from: number | null = null;
  item.addEventListener('pointerdown', ({ clientX, target, pointerId }) => {
    if (target instanceof HTMLButtonElement) return;
    from = clientX;
    item.setPointerCapture(pointerId);
  });
  item.addEventListener('pointermove', ({ clientX }) => {
    if (from !== null) item.style.translate = `${Math.max(0, clientX - from)}px`;
  });
  const end = ({ clientX }: PointerEvent) => {
    const moved = from === null ? 0 : clientX - from;
    from = null;
    item.style.translate = '';
    if (moved >= swipeThresholdPx) act();
  };
  item.addEventListener('pointerup', end);
  item.addEventListener('pointercancel', () => {
    from = null;
    item.style.translate = '';
  });
}
