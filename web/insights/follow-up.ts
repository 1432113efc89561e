import '#web/platform/player-texts.ts';
import type { StoredActionItem } from '#domain/action-items/contract.ts';
import type { Insights } from '#domain/insights/contract.ts';
import { dueDate } from '#web/ai/due-date.ts';
import { ownerName } from '#web/ai/owner-name.ts';
import { t } from '#web/platform/texts.ts';

/** Longer lists are no email. */
const mostPoints = 10;

/** Returns the open items that a follow-up email contains. */
export const itemsOfDraft = (items: readonly StoredActionItem[]): StoredActionItem[] =>
  items.filter(({ completedAt }) => completedAt === null).slice(0, mostPoints);

/** Returns the draft of an email to the customer: nothing but kept statements and open action items. */
export function followUpText(
  topic: string,
  { summary }: Insights,
  items: readonly StoredActionItem[],
): string {
  const points = (summary ?? []).slice(0, mostPoints).map(({ text }) => `- ${text}`);
  const agreed = items.map((item) => `- ${[item.title, ownerOf(item), dueOf(item)].join('')}`);
  return [
    t('assistant.draft.greeting'),
    t('assistant.draft.thanks', { topic }),
    listed(t('assistant.draft.points'), points),
    listed(t('assistant.draft.items'), agreed),
    t('assistant.draft.close'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const listed = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : [title, ...lines].join('\n');
const ownerOf = ({ owner }: StoredActionItem) => (owner ? ` (${ownerName(owner)})` : '');
const dueOf = ({ dueOn, due }: StoredActionItem) => {
  const day = dueOn ? dueDate(dueOn) : due;
  return day ? `, ${day}` : '';
};
