import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { AnalyticsFilter } from '#domain/analytics/filter.ts';
import { readCallChoices } from '#domain/calls/contract.ts';
import { FilterSelect } from '#web/calls/filter-select.tsx';
import { periods } from '#web/calls/periods.ts';
import { type FilterName, useCallFilter } from '#web/calls/use-call-filter.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { inputClass } from '#web/ui/field.tsx';

/**
 * What the figures and the calls of a page are of: a period, an agent, a room, a playbook.
 * @param fixed what the whole page is of, which is no choice
 */
export function FigureFilter({ fixed = {} }: { fixed?: AnalyticsFilter }) {
  const { chosen, figures, choose, clearFigures, hasFigureFilter } = useCallFilter();
  const { roomId, playbookId } = figures;
  const query = { ...(roomId && { roomId }), ...(playbookId && { playbookId }) };
  // Without them, the filters of the address still work.
  const { data } = useQuery({
    ...reading(readCallChoices, Object.keys(query).length > 0 ? { query } : {}),
    staleTime: 0,
    placeholderData: (previous) => previous,
  });
  const named = (name: 'agent' | 'room' | 'playbook') => {
    if (fixed[`${name}Id`]) return null;
    return (
      <FilterSelect
        label={t(`calls.filter.${name}`)}
        any={t(`calls.filter.any.${name}`)}
        value={chosen[`${name}Id`]}
        choices={(data?.[`${name}s`] ?? []).map(({ id, name: title }) => ({ value: id, title }))}
        unknown={data && t('calls.filter.unknown')}
        onChoose={(value) => choose(`${name}Id`, value)}
      />
    );
  };
  return (
    <search aria-label={t('calls.filter.title')} className="mb-4 flex flex-wrap items-center gap-2">
      <FilterSelect
        label={t('calls.filter.period')}
        any={t('calls.filter.any.period')}
        value={chosen.period}
        choices={periods.map((value) => ({ value, title: t(`calls.filter.periods.${value}`) }))}
        onChoose={(value) => choose('period', value)}
      />
      {chosen.period === 'custom' && <Days chosen={chosen} choose={choose} />}
      {named('agent')}
      {named('room')}
      {named('playbook')}
      {hasFigureFilter && (
        <Button look="ghost" size="small" onClick={clearFigures}>
          <X aria-hidden className="size-4" />
          {t('calls.filter.clear')}
        </Button>
      )}
    </search>
  );
}

interface DaysProps {
  chosen: Record<'from' | 'to', string>;
  choose: (name: FilterName, value: string) => void;
}

function Days({ chosen, choose }: DaysProps) {
  const day = (name: 'from' | 'to') => (
    <input
      type="date"
      aria-label={t(`calls.filter.${name}`)}
      value={chosen[name]}
      {...(name === 'from' ? { max: chosen.to } : { min: chosen.from })}
      onChange={(event) => choose(name, event.target.value)}
      className={`${inputClass} min-w-0 bg-card max-sm:flex-1 sm:w-38`}
    />
  );
  return (
    <>
      {day('from')}
      {day('to')}
    </>
  );
}
