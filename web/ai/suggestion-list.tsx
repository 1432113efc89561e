import type { Suggestion } from '#domain/ai/contract.ts';
import { PriorityMark } from '#web/ai/priority-mark.tsx';
import { t } from '#web/platform/texts.ts';

export function SuggestionList({ suggestions }: { suggestions: readonly Suggestion[] }) {
  return (
    <section aria-labelledby="ai-coaching" className="grid gap-2.5">
      <h2 id="ai-coaching" className="text-sm font-semibold">
        {t('ai.coaching.title')}
      </h2>
      {suggestions.length === 0 && (
        <p className="text-sm text-muted-foreground">{t('ai.coaching.none')}</p>
      )}
      <ul className="grid gap-2">
        {suggestions.map(({ priority, type, suggestion, context }) => (
          <li key={`${type} ${suggestion}`} className="flex gap-2.5 rounded-lg border p-3">
            <PriorityMark priority={priority} />
            <div className="grid min-w-0 gap-1.5">
              <p className="text-sm leading-snug">{suggestion}</p>
              <blockquote className="border-l-2 pl-2 text-xs break-words text-muted-foreground">
                {context}
              </blockquote>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
