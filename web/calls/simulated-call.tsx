import '#web/platform/call-texts.ts';
import { clsx } from 'clsx';
import { FlaskConical, Mic } from 'lucide-react';
import { initialsOfName } from '#web/auth/person.ts';
import { t } from '#web/platform/texts.ts';
import { useNow } from '#web/platform/use-now.ts';

const people = [
  { name: t('call.demo.first'), color: 'bg-indigo-500', glow: 'from-indigo-500/30' },
  { name: t('call.demo.second'), color: 'bg-emerald-600', glow: 'from-emerald-500/25' },
] as const;
/** How long each person talks. */
const turnMs = 5000;

/** The mock provider's call: two simulated people who talk in turn. */
export function SimulatedCall() {
  const turn = Math.floor(useNow(turnMs) / turnMs) % people.length;
  return (
    <div className="absolute inset-0 flex flex-col gap-3 p-3 sm:p-4">
      <p className="flex items-center justify-center gap-2 text-center text-xs text-white/70">
        <FlaskConical aria-hidden className="size-3.5 shrink-0" />
        <span>
          <strong className="font-medium text-white">{t('call.demo.title')}</strong>{' '}
          {t('call.demo.text')}
        </span>
      </p>
      <div className="grid min-h-0 flex-1 gap-3 min-[480px]:grid-cols-2">
        {people.map((person, at) => (
          <Participant key={person.name} person={person} isSpeaking={at === turn} />
        ))}
      </div>
    </div>
  );
}

interface ParticipantProps {
  person: (typeof people)[number];
  isSpeaking: boolean;
}

function Participant({ person: { name, color, glow }, isSpeaking }: ParticipantProps) {
  return (
    <figure
      className={clsx(
        'relative grid min-h-0 place-items-center overflow-hidden rounded-xl bg-white/6 bg-radial from-10% to-transparent to-75%',
        'ring-2 transition-shadow duration-300',
        glow,
        isSpeaking ? 'ring-emerald-400' : 'ring-transparent',
      )}
    >
      <span
        aria-hidden
        className={clsx(
          'grid size-16 place-items-center rounded-full text-base font-semibold shadow-lg sm:size-24 sm:text-2xl',
          color,
        )}
      >
        {initialsOfName(name)}
      </span>
      <figcaption className="absolute bottom-2.5 left-2.5 flex items-center gap-1.5 rounded-md bg-black/50 px-2 py-1 text-xs">
        <Mic
          aria-hidden
          className={clsx('size-3.5', isSpeaking ? 'text-emerald-400' : 'text-white/50')}
        />
        {name}
        {isSpeaking && <span className="sr-only"> {t('call.demo.speaking')}</span>}
      </figcaption>
    </figure>
  );
}
