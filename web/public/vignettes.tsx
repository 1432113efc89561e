import { clsx } from 'clsx';
import { Check, Link2, Mic, PhoneOff, Video } from 'lucide-react';
import { usePage } from '#web/public/page-context.ts';
import { MiniCard, Vignette } from '#web/public/vignette.tsx';

const useDrawn = () => usePage().texts.drawn;

export function PlaybookVignette() {
  const drawn = useDrawn();
  const steps = Object.values(drawn.playbook.steps);
  const done = 2;
  return (
    <Vignette label={drawn.playbook.label}>
      <MiniCard>
        <p className="font-semibold">{drawn.playbook.title}</p>
        <p className="mt-1 text-xs text-muted-foreground">{drawn.playbook.progress}</p>
        <div className="mt-2 h-1 rounded-full bg-muted">
          <div className="h-1 w-2/5 rounded-full bg-brand" />
        </div>
        <ul className="mt-4 grid gap-3">
          {steps.map((step, at) => (
            <li key={step} className="flex items-start gap-3">
              <span
                className={clsx(
                  'mt-0.5 grid size-4 shrink-0 place-items-center rounded border',
                  at < done && 'border-brand bg-brand text-brand-text',
                )}
              >
                {at < done && <Check className="size-3" strokeWidth={3} />}
              </span>
              <span className={clsx(at < done && 'text-muted-foreground line-through')}>
                {step}
              </span>
            </li>
          ))}
        </ul>
      </MiniCard>
    </Vignette>
  );
}

const round = 'grid size-10 place-items-center rounded-full bg-white/15 text-white';

export function VideoVignette() {
  const drawn = useDrawn();
  return (
    <Vignette label={drawn.video.label} className="bg-stage">
      <div className="rounded-xl bg-white/10 p-4 text-white">
        <div className="flex items-center gap-3">
          <span className="grid size-9 place-items-center rounded-lg bg-[#0f766e] font-semibold">
            B
          </span>
          <span className="font-semibold">{drawn.video.organization}</span>
        </div>
        <p className="mt-5 text-lg leading-snug font-semibold">{drawn.video.invitation}</p>
        <p className="mt-4 flex min-w-0 items-center gap-2 rounded-lg bg-black/35 px-3 py-2.5 text-xs">
          <Link2 className="size-4 shrink-0" />
          <span className="truncate">calls.brightleaf.example/join/k3v9</span>
        </p>
        <div className="mt-5 flex justify-center gap-3">
          <span className={round}>
            <Mic className="size-4.5" />
          </span>
          <span className={round}>
            <Video className="size-4.5" />
          </span>
          <span className="grid h-10 w-14 place-items-center rounded-full bg-[#d3302a]">
            <PhoneOff className="size-4.5" />
          </span>
        </div>
      </div>
    </Vignette>
  );
}

const priorities = {
  high: 'bg-[#d3302a]',
  medium: 'bg-[#d99a1c]',
  low: 'bg-[#2e9e6b]',
} as const;

export function CoachVignette() {
  const { coach, label } = { ...useDrawn(), label: useDrawn().coach.label };
  return (
    <Vignette label={label}>
      <MiniCard>
        <div className="flex flex-wrap items-baseline justify-between gap-2">
          <p className="font-semibold text-success">{coach.mood}</p>
          <p className="text-xs text-muted-foreground">{coach.confidence}</p>
        </div>
        <div className="mt-3 h-1.5 rounded-full bg-muted">
          <div className="ml-[50%] h-1.5 w-[31%] rounded-full bg-success" />
        </div>
      </MiniCard>
      <ul className="mt-3 grid gap-3">
        {(['high', 'medium', 'low'] as const).map((priority) => (
          <li key={priority}>
            <MiniCard className="flex gap-3 shadow-sm">
              <span className={clsx('mt-1.5 size-2 shrink-0 rounded-full', priorities[priority])} />
              <span>{coach[priority]}</span>
            </MiniCard>
          </li>
        ))}
      </ul>
    </Vignette>
  );
}

const scores = Array.from({ length: 11 }, (_, score) => score);
const chosen = 9;
const months = [38, 52, 47, 61, 58, 74, 83];

export function AnalyticsVignette() {
  const { analytics } = useDrawn();
  return (
    <Vignette label={analytics.label}>
      <MiniCard>
        <p className="font-semibold">{analytics.question}</p>
        <div className="mt-3 grid grid-cols-11 gap-1 text-center text-xs tabular-nums">
          {scores.map((score) => (
            <span
              key={score}
              className={clsx(
                'rounded border py-1.5',
                score === chosen && 'border-brand bg-brand font-semibold text-brand-text',
              )}
            >
              {score}
            </span>
          ))}
        </div>
      </MiniCard>
      <MiniCard className="mt-3">
        <p className="font-semibold">{analytics.trends}</p>
        <div className="mt-4 flex h-24 items-end gap-2">
          {months.map((height, at) => (
            <span
              key={height}
              className={clsx('flex-1 rounded-t', at === 6 ? 'bg-brand' : 'bg-brand/30')}
              style={{ height: `${height}%` }}
            />
          ))}
        </div>
      </MiniCard>
    </Vignette>
  );
}

export function TeamVignette() {
  const { team } = useDrawn();
  return (
    <Vignette label={team.label}>
      <MiniCard className="grid gap-4">
        {(['Mara Ellison', 'Jonas Weber', 'Priya Raman'] as const).map((name, at) => (
          <div key={name} className="flex min-w-0 items-center gap-3">
            <span className="grid size-9 shrink-0 place-items-center rounded-full bg-brand/15 text-xs font-semibold">
              {name.replace(/(\w)\w* (\w)\w*/, '$1$2')}
            </span>
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span className="rounded-full border px-2.5 py-0.5 text-xs">
              {[team.admin, team.agent, team.viewer][at]}
            </span>
          </div>
        ))}
      </MiniCard>
    </Vignette>
  );
}
