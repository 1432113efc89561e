import { useId } from 'react';
import { Select } from '#web/ui/select.tsx';

interface FilterSelectProps {
  label: string;
  /** The text of the choice that filters nothing. */
  any: string;
  value: string;
  choices: readonly { value: string; title: string }[];
  /** Shown for a value that is not among the choices; without it they are still loading. */
  unknown?: string | undefined;
  onChoose: (value: string) => void;
}

/** One filter above a list, with its name for screen readers and in its first choice. */
export function FilterSelect(props: FilterSelectProps) {
  const { label, any, value, choices, unknown, onChoose } = props;
  const id = useId();
  const isMissing = value !== '' && !choices.some((choice) => choice.value === value);
  return (
    <div className="min-w-0 max-sm:flex-1 max-sm:basis-[calc(50%-0.25rem)] sm:w-48">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Select
        id={id}
        value={value}
        onChange={(event) => onChoose(event.target.value)}
        className={
          value === '' ? 'bg-card truncate' : 'bg-card truncate font-medium border-(--ring)'
        }
      >
        <option value="">{any}</option>
        {isMissing && <option value={value}>{unknown ?? '…'}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.title}
          </option>
        ))}
      </Select>
    </div>
  );
}
