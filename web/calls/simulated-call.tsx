import { clsx } from 'clsx';
import { initialsOfName } from '#web/auth/person.ts';
import { t } from '#web/platform/texts.ts';

const people = [
  { name: t('call.demo.first'), color: 'bg-indigo-500', speaking: true },
  { name: t('call.demo.second'), color: 'bg-emerald-600', speaking: false },
] as const;

/** What the mock provider shows: two people who are not there. */
export function SimulatedCall() {
  return (
    <div className="absolute inset-0 flex flex-col gap-3 p-3 sm:p-4">
      <div className="grid min-h-0 flex-1 gap-3 min-[480px]:grid-cols-2">
        {people.map(({ name, color, speaking }) => (
          <figure
            key={name}
            className={clsx(
              'relative grid min-h-0 place-items-center overflow-hidden rounded-xl bg-white/6',
              speaking && 'ring-2 ring-emerald-400',
            )}
          >
            <span
              aria-hidden
              className={clsx(
                'grid size-16 place-items-center rounded-full text-lg font-semibold sm:size-24 sm:text-2xl',
                color,
              )}
            >
              {initialsOfName(name)}
            </span>
            <figcaption className="absolute bottom-2.5 left-2.5 rounded-md bg-black/50 px-2 py-1 text-xs">
              {name}
              {speaking && <span className="sr-only"> {t('call.demo.speaking')}</span>}
            </figcaption>
          </figure>
        ))}
      </div>
      <p className="text-center text-xs text-white/65">
        <strong className="font-medium text-white">{t('call.demo.title')}</strong>{' '}
        {t('call.demo.text')}
      </p>
    </div>
  );
}
