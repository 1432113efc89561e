import { clsx } from 'clsx';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { Sentiment } from '#domain/ai/contract.ts';
import { type SentimentLabel, sentimentLabel } from '#domain/ai/rules.ts';
import { emotionName } from '#web/ai/emotion-name.ts';
import { t } from '#web/platform/texts.ts';
import { Badge } from '#web/ui/badge.tsx';

const tones: Record<SentimentLabel, string> = {
  Positive: 'text-success',
  Neutral: 'text-foreground',
  Negative: 'text-destructive',
};

/** The mood, and the lines that it is based on. For a language that cannot be read, only a sentence that says so. */
export function SentimentCard({ sentiment }: { sentiment: Sentiment }) {
  if (!sentiment.supported) {
    return <p className="text-sm text-muted-foreground">{t('ai.sentiment.unsupported')}</p>;
  }
  return <Mood sentiment={sentiment} />;
}

function Mood({ sentiment }: { sentiment: Sentiment }) {
  const { overallSentiment, keyEmotions, concernsDetected, evidence } = sentiment;
  const label = sentimentLabel(overallSentiment);
  const Concern = concernsDetected ? TriangleAlert : CircleCheck;
  return (
    <section aria-labelledby="ai-sentiment" className="grid gap-2.5">
      <h2 id="ai-sentiment" className="text-sm font-semibold">
        {t('ai.sentiment.title')}
      </h2>
      <div className="grid gap-3 rounded-lg border p-3">
        <p className={clsx('text-base font-semibold', tones[label])}>
          {t(`ai.sentiment.${label}`)}
        </p>
        <Scale value={overallSentiment} />
        {keyEmotions.length > 0 && (
          <div className="grid gap-1.5">
            <p className="text-xs text-muted-foreground">{t('ai.sentiment.emotions')}</p>
            <ul className="flex flex-wrap gap-1.5">
              {keyEmotions.map((emotion) => (
                <li key={emotion}>
                  <Badge look="secondary">{emotionName(emotion)}</Badge>
                </li>
              ))}
            </ul>
          </div>
        )}
        <p
          className={clsx(
            'flex items-center gap-1.5 text-xs',
            concernsDetected ? 'font-medium text-warning' : 'text-muted-foreground',
          )}
        >
          <Concern aria-hidden className="size-3.5 shrink-0" />
          {t(concernsDetected ? 'ai.sentiment.concerns' : 'ai.sentiment.noConcerns')}
        </p>
        {evidence.length > 0 && (
          <div className="grid gap-1.5">
            <p className="text-xs text-muted-foreground">{t('ai.sentiment.evidence')}</p>
            {evidence.map((line) => (
              <blockquote
                key={line}
                className="border-l-2 pl-2 text-xs break-words text-muted-foreground"
              >
                {line}
              </blockquote>
            ))}
          </div>
        )}
      </div>
    </section>
  );
}

/** From -1 at the left to 1 at the right. */
function Scale({ value }: { value: number }) {
  return (
    <div
      role="img"
      aria-label={`${t('ai.sentiment.scale')}: ${value}`}
      className="relative h-1.5 rounded-full bg-linear-to-r from-destructive/35 via-muted to-success/45"
    >
      <span
        className="absolute top-1/2 size-3 -translate-1/2 rounded-full border-2 border-card bg-foreground transition-[left] duration-300"
        style={{ left: `${(value + 1) * 50}%` }}
      />
    </div>
  );
}
