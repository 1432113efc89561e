import type { ToServer } from '#domain/calls/live.ts';

interface ChecklistOptions {
  /** Returns false if the message was not sent. */
  send: (message: ToServer) => boolean;
  newId: () => string;
  /** Stores unsaved ticks beyond this page; null removes them. */
  keep: (checks: Record<string, boolean> | null) => void;
}

interface Pending {
  id: string;
  checked: boolean;
}

/**
 * The ticks of one call. A tick made here shows immediately and is sent until it is acknowledged;
 * another person's tick shows when it arrives. Each item notifies separately, so that a tick
 * renders one line.
 */
export class Checklist {
  readonly #options: ChecklistOptions;
  #stored = new Map<string, boolean>();
  #pending = new Map<string, Pending>();
  readonly #listeners = new Set<() => void>();

  constructor(options: ChecklistOptions) {
    this.#options = options;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  isChecked = (itemId: string): boolean =>
    this.#pending.get(itemId)?.checked ?? this.#stored.get(itemId) ?? false;

  /** Ticks that the server has not acknowledged. */
  get unsaved(): Record<string, boolean> {
    return Object.fromEntries([...this.#pending].map(([item, { checked }]) => [item, checked]));
  }

  get hasUnsaved(): boolean {
    return this.#pending.size > 0;
  }

  check(itemId: string, checked: boolean): void {
    const id = this.#options.newId();
    this.#pending.set(itemId, { id, checked });
    this.#changed();
    this.#options.send({ type: 'check', id, itemId, checked });
  }

  /** Adds the ticks that an earlier page stored; they are sent when the socket is open. */
  restore(checks: Record<string, boolean>): void {
    for (const [itemId, checked] of Object.entries(checks))
      this.#pending.set(itemId, { id: this.#options.newId(), checked });
    this.#changed();
  }

  /** The socket to the running call is open. */
  connected(): void {
    for (const [itemId, { id, checked }] of this.#pending)
      this.#options.send({ type: 'check', id, itemId, checked });
  }

  receive(items: readonly { itemId: string; checked: boolean }[]): void {
    for (const { itemId, checked } of items) this.#stored.set(itemId, checked);
    this.#tell();
  }

  saved(id: string): void {
    this.#settle(id, (itemId, { checked }) => this.#stored.set(itemId, checked));
  }

  /** Reverts the tick. Returns whether the refusal was about one. */
  refused(id: string): boolean {
    return this.#settle(id, () => {});
  }

  /** A request has stored these ticks. */
  savedOtherwise(checks: Record<string, boolean>): void {
    for (const [itemId, checked] of Object.entries(checks)) {
      if (this.#pending.get(itemId)?.checked !== checked) continue;
      this.#pending.delete(itemId);
      this.#stored.set(itemId, checked);
    }
    this.#changed();
  }

  #settle(id: string, settle: (itemId: string, pending: Pending) => void): boolean {
    const found = [...this.#pending].find(([, pending]) => pending.id === id);
    if (!found) return false;
    const [itemId, pending] = found;
    this.#pending.delete(itemId);
    settle(itemId, pending);
    this.#changed();
    return true;
  }

  #changed(): void {
    this.#options.keep(this.hasUnsaved ? this.unsaved : null);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
