import type { CallDetails, Rating } from '#domain/calls/contract.ts';
import { NpsBadge } from '#web/calls/nps-badge.tsx';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';

const kinds = ['staff', 'guest'] as const;

/** The scores of a call, the team's and the customer's separately. */
export function CallScores({ call }: { call: CallDetails }) {
  if (call.ratings.length === 0)
    return <p className="text-sm text-muted-foreground">{t('calls.details.noScores')}</p>;
  return (
    <div className="grid gap-5">
      {kinds.map((kind) => {
        const ratings = call.ratings.filter((rating) => rating.kind === kind);
        if (ratings.length === 0) return null;
        return (
          <div key={kind} className="grid gap-3">
            <h3 className="text-xs font-medium text-muted-foreground">
              {t(`calls.details.scoresOf.${kind}`)}
            </h3>
            {ratings.map((rating) => (
              <Score key={rating.id} rating={rating} />
            ))}
          </div>
        );
      })}
    </div>
  );
}

function Score({ rating: { score, name, ratedAt, feedback } }: { rating: Rating }) {
  return (
    <div className="flex break-inside-avoid items-start gap-3 text-sm">
      <NpsBadge score={score} />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">
          <span className="font-medium">{name ?? t('calls.details.somebody')}</span>{' '}
          <span className="text-xs text-muted-foreground">{formatDateTime(ratedAt)}</span>
        </p>
        {feedback && <p className="mt-1 wrap-anywhere whitespace-pre-wrap">{feedback}</p>}
      </div>
    </div>
  );
}
