import * as z from 'zod/mini';
import { WritableStore } from '#web/live/store.ts';
import { StoredValue } from '#web/storage/stored-value.ts';
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

/** The layout that the person chose, stored on the device; the pin is for this call only. */
export class LayoutChoice extends WritableStore<Remembered & Wishes> {
  readonly #stored: StoredValue<Remembered>;

  constructor(storage: Storage) {
    const stored = new StoredValue(storage, layoutKey, remembered);
    super({ ...(stored.read() ?? atFirst), pinned: null });
    this.#stored = stored;
  }

  choose(changed: Partial<Remembered>): void {
    // A pin would hide the new layout.
    this.update({ ...changed, ...(changed.layout && { pinned: null }) });
    const { layout, selfHidden, selfCorner } = this.getSnapshot();
    this.#stored.write({ layout, selfHidden, selfCorner });
  }

  pin(id: string): void {
    this.update({ pinned: this.getSnapshot().pinned === id ? null : id });
  }
}
