import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { callSorts, guestChoices, scoreGroups } from '#domain/calls/filter.ts';
import { FilterSelect } from '#web/calls/filter-select.tsx';
import { useCallFilter } from '#web/calls/use-call-filter.ts';
import { t } from '#web/platform/texts.ts';
import { useDebounced } from '#web/platform/use-debounced.ts';
import { inputClass } from '#web/ui/field.tsx';

const restMs = 250;

/**
 * Search, filters, and order of the table of calls, beside those of the whole page.
 * @param hasSearch false where all calls are of one room
 */
export function CallsToolbar({ hasSearch }: { hasSearch: boolean }) {
  const { chosen, choose } = useCallFilter();
  const [first, ...orders] = callSorts.map((value) => ({
    value,
    title: t(`calls.filter.sorts.${value}`),
  }));
  return (
    <search
      aria-label={t('calls.filter.calls')}
      className="flex flex-wrap gap-2 border-b px-5 py-3"
    >
      {hasSearch && <CallSearch search={chosen.q} onSearch={(text) => choose('q', text)} />}
      <FilterSelect
        label={t('calls.filter.score')}
        any={t('calls.filter.any.score')}
        value={chosen.score}
        choices={scoreGroups.map((value) => ({ value, title: t(`calls.filter.scores.${value}`) }))}
        onChoose={(value) => choose('score', value)}
      />
      <FilterSelect
        label={t('calls.filter.guests')}
        any={t('calls.filter.any.guests')}
        value={chosen.guests}
        choices={guestChoices.map((value) => ({
          value,
          title: t(`calls.filter.guestChoices.${value}`),
        }))}
        onChoose={(value) => choose('guests', value)}
      />
      <FilterSelect
        label={t('calls.filter.sort')}
        any={first?.title ?? ''}
        value={chosen.sort === 'newest' ? '' : chosen.sort}
        choices={orders}
        onChoose={(value) => choose('sort', value)}
      />
    </search>
  );
}

function CallSearch({ search, onSearch }: { search: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(search);
  const rested = useDebounced(typed.trim(), restMs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: written when the typed text changes, and then only.
  useEffect(() => {
    if (rested !== search) onSearch(rested);
  }, [rested]);
  // The filters were cleared, or Back restored earlier ones.
  const [known, setKnown] = useState(search);
  if (known !== search) {
    setKnown(search);
    if (search !== rested) setTyped(search);
  }
  return (
    <div className="relative min-w-0 max-sm:basis-full sm:w-56">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-2.5 left-3 size-4 text-muted-foreground"
      />
      <input
        type="search"
        aria-label={t('calls.filter.search')}
        placeholder={t('calls.filter.search')}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
        className={clsx(inputClass, 'bg-card pl-9')}
      />
    </div>
  );
}
