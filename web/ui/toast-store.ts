/** Spec section 9, Notifications. */
const mostToasts = 1;
const removeAfterMs = 1_000_000;
export const toastDurationMs = 5000;

export interface ToastContent {
  title: string;
  description?: string;
  tone?: 'default' | 'destructive';
}
export interface ShownToast extends ToastContent {
  id: number;
  open: boolean;
}

let shown: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function become(next: readonly ShownToast[]) {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a message, in place of the one before. */
export function toast(content: ToastContent): void {
  lastId += 1;
  become([{ ...content, id: lastId, open: true }, ...shown].slice(0, mostToasts));
}

export function dismissToast(id: number): void {
  become(shown.map((each) => (each.id === id ? { ...each, open: false } : each)));
  setTimeout(() => become(shown.filter((each) => each.id !== id)), removeAfterMs);
}

export const shownToasts = () => shown;

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const carriedKey = 'carried-toast';

/** For a message whose page is about to be left: the next page shows it. */
export function toastOnNextPage(content: ToastContent): void {
  sessionStorage.setItem(carriedKey, JSON.stringify(content));
}

/** What the page before left to be said, once. */
export function takeCarriedToast(): ToastContent | null {
  const carried = sessionStorage.getItem(carriedKey);
  sessionStorage.removeItem(carriedKey);
  return carried === null ? null : JSON.parse(carried);
}

export function showCarriedToast(): void {
  const carried = takeCarriedToast();
  if (carried) toast(carried);
}

/** Before a page is left by itself: what it shows now is shown on by the next one. */
export function carryShownToast(): void {
  const [latest] = shown;
  if (latest?.open) toastOnNextPage(latest);
}
