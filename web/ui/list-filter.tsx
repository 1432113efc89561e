import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { inputClass } from '#web/ui/field.tsx';

interface ListFilterProps<Status extends string> {
  searchLabel: string;
  search: string;
  onSearch: (text: string) => void;
  statusLabel: string;
  statuses: readonly { value: Status; title: string }[];
  status: Status;
  onStatus: (status: Status) => void;
}

/** The search field and the filter above a list. */
export function ListFilter<Status extends string>(props: ListFilterProps<Status>) {
  return (
    <div className="mb-4 flex flex-wrap gap-3">
      <div className="relative min-w-48 flex-1 sm:max-w-xs">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-2.5 left-3 size-4 text-muted-foreground"
        />
        <input
          type="search"
          aria-label={props.searchLabel}
          placeholder={props.searchLabel}
          value={props.search}
          maxLength={200}
          onChange={(event) => props.onSearch(event.target.value)}
          className={clsx(inputClass, 'bg-card pl-9')}
        />
      </div>
      <fieldset className="flex gap-1 rounded-lg bg-muted p-1">
        <legend className="sr-only">{props.statusLabel}</legend>
        {props.statuses.map(({ value, title }) => (
          <label
            key={value}
            className="relative grid h-7 cursor-pointer place-items-center rounded-md px-3 text-sm font-medium text-muted-foreground select-none hover:text-foreground has-checked:bg-card has-checked:text-foreground has-checked:shadow-xs has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--ring)"
          >
            <input
              type="radio"
              name="list-status"
              checked={props.status === value}
              onChange={() => props.onStatus(value)}
              className="absolute inset-0 cursor-pointer appearance-none rounded-md outline-none"
            />
            {title}
          </label>
        ))}
      </fieldset>
    </div>
  );
}
