import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { readAuditChoices } from '#domain/audit/contract.ts';
import { actionText } from '#web/audit/event-kind.ts';
import type { FilterName, useAuditFilter } from '#web/audit/use-audit-filter.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';

interface Choice {
  value: string;
  title: string;
}

/** The filters above the log: action, person, and days. */
export function AuditFilter({ filter }: { filter: ReturnType<typeof useAuditFilter> }) {
  const { chosen, choose, clear, isFiltered } = filter;
  // The choices of the filters; without them an address with filters still works.
  const { data } = useQuery({ ...reading(readAuditChoices, {}), staleTime: 0 });
  const actions = (data?.actions ?? []).map((value) => ({ value, title: actionText(value) }));
  const people = (data?.people ?? []).map(({ id, name }) => ({ value: id, title: name }));
  const select = (name: FilterName, label: string, any: string, choices: Choice[]) => (
    <Field label={label}>
      {(input) => (
        <Select
          {...input}
          value={chosen[name]}
          onChange={(event) => choose(name, event.target.value)}
        >
          <option value="">{any}</option>
          {withChosen(choices, chosen[name]).map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
  const day = (name: 'from' | 'to', label: string) => (
    <Field label={label}>
      {(input) => (
        <input
          {...input}
          type="date"
          value={chosen[name]}
          onChange={(event) => choose(name, event.target.value)}
          className={inputClass}
        />
      )}
    </Field>
  );
  return (
    <search aria-label={t('audit.filter.title')} className="grid gap-3 border-b px-5 py-4">
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {select('action', t('audit.filter.action'), t('audit.filter.anyAction'), actions)}
        {select('person', t('audit.filter.person'), t('audit.filter.anyPerson'), people)}
        {day('from', t('audit.filter.since'))}
        {day('to', t('audit.filter.until'))}
      </div>
      {isFiltered && (
        <Button look="ghost" size="small" className="justify-self-start" onClick={clear}>
          <X aria-hidden className="size-4" />
          {t('audit.filter.clear')}
        </Button>
      )}
    </search>
  );
}

/** A value from the address is shown as chosen even if the log does not contain it. */
const withChosen = (choices: Choice[], value: string): Choice[] =>
  value === '' || choices.some((choice) => choice.value === value)
    ? choices
    : [{ value, title: actionText(value) }, ...choices];
