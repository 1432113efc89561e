import * as z from 'zod/mini';
import { openStorage } from '#web/storage/open-storage.ts';
import { StoredValue } from '#web/storage/stored-value.ts';

/** Spec section 9, Notifications. */
const mostToasts = 1;
const removeAfterMs = 1_000_000;
export const toastDurationMs = 5000;

export interface ToastContent {
  title: string;
  description?: string | undefined;
  tone?: 'default' | 'destructive' | undefined;
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

/** Shows a message, in place of the previous one. */
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

const carried = new StoredValue(
  openStorage(() => sessionStorage),
  'carried-toast',
  z.object({
    title: z.string(),
    description: z.optional(z.string()),
    tone: z.optional(z.enum(['default', 'destructive'])),
  }),
);

/** For a message whose page is about to be left: the next page shows it. */
export function toastOnNextPage(content: ToastContent): void {
  carried.write(content);
}

/** Returns the message that the previous page left, once. */
export function takeCarriedToast(): ToastContent | null {
  const content = carried.read();
  carried.remove();
  return content;
}

export function showCarriedToast(): void {
  const content = takeCarriedToast();
  if (content) toast(content);
}

/** Called before the code leaves a page: the next page keeps showing its toast. */
export function carryShownToast(): void {
  const [latest] = shown;
  if (latest?.open) toastOnNextPage(latest);
}
