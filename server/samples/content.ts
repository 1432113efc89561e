import type { ActionItem } from '#domain/ai/contract.ts';
import type { TemplateName } from '#domain/playbooks/templates/template.ts';

/** A past call as it is told: `daysAgo` and `hour` (UTC) place it, and everything else is stored with it. */
export interface PastCallContent {
  daysAgo: number;
  hour: number;
  minutes: number;
  guests: readonly string[];
  /** How many of the checklist's first items are ticked. */
  ticked: number;
  notes: string;
  /** Whoever wrote each message: `staff`, or a guest by their place in `guests`. */
  chat?: readonly { from: 'staff' | number; text: string }[];
  score?: number;
  feedback?: string;
  actionItems?: readonly Pick<ActionItem, 'priority' | 'title' | 'owner' | 'due'>[];
}

export interface SampleRoomContent {
  topic: string;
  playbook: TemplateName;
  calls: readonly PastCallContent[];
}
