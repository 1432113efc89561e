import { hasShape, isBoolean, isOneOf } from '#domain/shape.ts';
import { WritableStore } from '#web/live/store.ts';
import { StoredValue } from '#web/storage/stored-value.ts';
import { type Layout, layouts, type Wishes } from './arrangement.ts';
import { type Corner, corners } from './corner.ts';

type Remembered = { layout: Layout; selfHidden: boolean; selfCorner: Corner };
const isRemembered = (value: unknown): value is Remembered =>
  hasShape<Remembered>(value, {
    layout: isOneOf(layouts),
    selfHidden: isBoolean,
    selfCorner: isOneOf(corners),
  });

export const layoutKey = 'rapport.meet.layout';
const atFirst: Remembered = { layout: 'automatic', selfHidden: false, selfCorner: 'bottom-right' };

/** The layout that the person chose, stored on the device; the pin is for this call only. */
export class LayoutChoice extends WritableStore<Remembered & Wishes> {
  readonly #stored: StoredValue<Remembered>;

  constructor(storage: Storage) {
    const stored = new StoredValue(storage, layoutKey, isRemembered);
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
