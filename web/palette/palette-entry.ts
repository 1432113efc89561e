import type { LucideIcon } from 'lucide-react';

export interface PaletteEntry {
  id: string;
  title: string;
  /** Distinguishes entries with the same title, and says what choosing one does. */
  note?: string;
  icon: LucideIcon;
  go: () => void;
}
