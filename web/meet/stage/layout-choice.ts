import * as z from 'zod/mini';
import { WritableStore } from '../store.ts';
import { layouts, type Wishes } from './arrangement.ts';
import { corners } from './corner.ts';

const remembered = z.object({
  layout: z.enum(layouts),
  selfHidden: z.boolean(),
  selfCorner: z.enum(corners),
});
type Remembered = z.infer<typeof remembered>;

export const layoutKey = 'rapport.meet.layout';
const atFirst: Remembered = { layout: 'automatic', selfHidden: false, selfCorner: 'bottom-right' };

/** How somebody wants to see a call, kept on the device; the pin is for this call only. */
export class LayoutChoice extends WritableStore<Remembered & Wishes> {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    super({ ...read(storage), pinned: null });
    this.#storage = storage;
  }

  choose(changed: Partial<Remembered>): void {
    // Who asks for another layout wants to see it.
    this.update({ ...changed, ...(changed.layout && { pinned: null }) });
    const { layout, selfHidden, selfCorner } = this.getSnapshot();
    try {
      this.#storage.setItem(layoutKey, JSON.stringify({ layout, selfHidden, selfCorner }));
    } catch {
      // A browser that stores nothing begins with the usual layout next time.
    }
  }

  pin(id: string): void {
    this.update({ pinned: this.getSnapshot().pinned === id ? null : id });
  }
}

function read(storage: Storage): Remembered {
  try {
    return z.parse(remembered, JSON.parse(storage.getItem(layoutKey) ?? 'null'));
  } catch {
    return atFirst;
  }
}
