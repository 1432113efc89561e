import { clsx } from 'clsx';
import { t } from '#web/platform/texts.ts';
import { Badge, type BadgeLook } from '#web/ui/badge.tsx';

/** Spec section 5: 9 or more default, 7 to 8 secondary, below destructive. */
export function npsLook(score: number): BadgeLook {
  if (score >= 9) return 'default';
  return score >= 7 ? 'secondary' : 'destructive';
}

export function NpsBadge({ score }: { score: number | null }) {
  if (score === null) return t('common.missing');
  return <Badge look={npsLook(score)}>{score}</Badge>;
}

interface TeamScoreProps {
  score: number | null;
  /** Where there is space for who gave it in one line. */
  wide?: boolean;
}

/** The score of a call, with who gave it: customers are not asked themselves. */
export function TeamScore({ score, wide = false }: TeamScoreProps) {
  if (score === null) return t('common.missing');
  return (
    <span className="inline-grid justify-items-start gap-0.5">
      <NpsBadge score={score} />
      <span
        className={clsx(
          'text-xs leading-tight text-muted-foreground',
          wide ? 'whitespace-nowrap' : 'max-w-20 min-w-17 whitespace-normal',
        )}
      >
        {t('calls.byTeam')}
      </span>
    </span>
  );
}
