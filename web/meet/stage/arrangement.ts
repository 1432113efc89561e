export const layouts = ['automatic', 'grid', 'speaker'] as const;
export type Layout = (typeof layouts)[number];

export type Arrangement = {
  kind: 'alone' | 'pair' | 'grid' | 'speaker' | 'screen';
  /** The participant whose video is large. */
  large: string | null;
  self: 'tile' | 'corner' | 'hidden';
  mayPin: boolean;
};

export type Wishes = {
  layout: Layout;
  pinned: string | null;
  selfHidden: boolean;
};
export type Present = {
  self: string;
  others: readonly string[];
  /** The current or last speaker. */
  active: string | null;
  screensShared: boolean;
};

/** Returns the layout. Automatic is one large video for two participants, and a grid for more. */
export function arrange(
  wishes: Wishes,
  { self, others, active, screensShared }: Present,
): Arrangement {
  const [first] = others;
  if (first === undefined) return { kind: 'alone', large: null, self: 'tile', mayPin: false };
  const own = wishes.selfHidden ? 'hidden' : 'tile';
  if (screensShared) return { kind: 'screen', large: null, self: own, mayPin: false };
  const shown = own === 'hidden' ? others : [...others, self];
  const pinned = shown.find((id) => id === wishes.pinned);
  if (pinned !== undefined) return { kind: 'speaker', large: pinned, self: own, mayPin: true };
  if (others.length === 1 && wishes.layout !== 'grid') {
    const place = own === 'hidden' ? 'hidden' : 'corner';
    return { kind: 'pair', large: first, self: place, mayPin: false };
  }
  if (wishes.layout !== 'speaker') return { kind: 'grid', large: null, self: own, mayPin: true };
  const large = others.find((id) => id === active) ?? first;
  return { kind: 'speaker', large, self: own, mayPin: true };
}
