import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useDebounced } from '#web/platform/use-debounced.ts';
import { inputClass } from '#web/ui/field.tsx';

const restMs = 300;

interface SearchBoxProps {
  label: string;
  placeholder: string;
  value: string;
  maxLength: number;
  onSearch: (text: string) => void;
  isLarge?: boolean;
}

/** A field whose text is searched when typing rests, or at Enter. The arrow keys lead to the results. */
export function SearchBox(props: SearchBoxProps) {
  const { label, placeholder, value, maxLength, onSearch, isLarge = false } = props;
  const [typed, setTyped] = useState(value);
  const rested = useDebounced(typed.trim(), restMs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: searched when the typed text changes, and then only.
  useEffect(() => {
    if (rested !== value) onSearch(rested);
  }, [rested]);
  // Back, a link, or a button changed it.
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (value !== rested) setTyped(value);
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (typed.trim() !== value) onSearch(typed.trim());
  };
  return (
    <div
      className={clsx(
        'relative min-w-0',
        isLarge ? 'mb-3' : 'max-sm:flex-1 max-sm:basis-[calc(50%-0.25rem)] sm:w-44',
      )}
    >
      <Search
        aria-hidden
        className={clsx(
          'pointer-events-none absolute left-3 size-4 text-muted-foreground',
          isLarge ? 'top-3.5' : 'top-2.5',
        )}
      />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        maxLength={maxLength}
        // biome-ignore lint/a11y/noAutofocus: who opens a search is about to type.
        autoFocus={isLarge}
        {...(isLarge ? { 'data-search': true } : {})}
        enterKeyHint="search"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        className={clsx(inputClass, 'bg-card pl-9', isLarge && 'h-11 text-base')}
      />
    </div>
  );
}
