import type { ToBrowser } from '#domain/calls/live.ts';
import type { Reaction } from '#domain/calls/live-limits.ts';
import { WritableStore } from '#web/live/store.ts';

const shownMs = 4_000;

/** `count` distinguishes repeated reactions, so that the same one is shown twice. */
export type ShownReaction = { reaction: Reaction; count: number };
type ReactionState = { shown: ReadonlyMap<string, ShownReaction> };

/** The reactions on the screen, by participant: the newest of each, for a moment. */
export class Reactions extends WritableStore<ReactionState> {
  #count = 0;

  constructor(hear: (listener: (message: ToBrowser) => void) => void) {
    super({ shown: new Map() });
    hear((message) => {
      if (message.type === 'reacted') this.#show(message.from, message.reaction);
    });
  }

  #show(from: string, reaction: Reaction): void {
    this.#count += 1;
    const count = this.#count;
    this.update({ shown: new Map(this.getSnapshot().shown).set(from, { reaction, count }) });
    setTimeout(() => this.#hide(from, count), shownMs);
  }

  #hide(from: string, count: number): void {
    const { shown } = this.getSnapshot();
    if (shown.get(from)?.count !== count) return;
    const left = new Map(shown);
    left.delete(from);
    this.update({ shown: left });
  }
}
