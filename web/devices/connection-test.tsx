import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { roundTripMs, useIceServers } from '#web/devices/queries.ts';
import type { LocalMedia } from '#web/media/devices/local-media.ts';
import { addressOf, type Finding, trialsOf } from '#web/media/network/connection-test.ts';
import type { IceServers } from '#web/media/webrtc.ts';
import { sentenceOf } from '#web/meet/network/finding-texts.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';

/** The tests of the meeting page's connection test, without its devices, which this page tests themselves. */
export function ConnectionTest({ media }: { media: LocalMedia }) {
  const { data, error, refetch, dataUpdatedAt } = useIceServers();
  return (
    <Card>
      <CardHeader
        title={t('devices.connection')}
        action={
          data && (
            <Button look="ghost" size="small" onClick={() => void refetch()}>
              {t('devices.testAgain')}
            </Button>
          )
        }
      />
      {error && <LoadFailed error={error} onRetry={refetch} />}
      {data && <Findings key={dataUpdatedAt} iceServers={data.iceServers} media={media} />}
    </Card>
  );
}

interface Line {
  key: string;
  finding: Finding | null;
}

function Findings({ iceServers, media }: { iceServers: IceServers; media: LocalMedia }) {
  const [lines, setLines] = useState<Line[]>([]);
  useEffect(() => {
    let isOver = false;
    const tested = { roundTripMs, iceServers, media: media.getSnapshot() };
    const trials = trialsOf(tested).filter(({ key }) => key !== 'microphone' && key !== 'camera');
    setLines(trials.map(({ key }) => ({ key, finding: null })));
    for (const { key, find } of trials) {
      void find().then((finding) => {
        if (isOver) return;
        setLines((all) => all.map((line) => (line.key === key ? { key, finding } : line)));
      });
    }
    return () => {
      isOver = true;
    };
  }, [iceServers, media]);
  return (
    <ul aria-live="polite" className="grid gap-2.5 p-5 text-sm">
      {lines.map(({ key, finding }) => (
        <li key={key} className="flex gap-2">
          <Mark finding={finding} />
          <span className="min-w-0 wrap-anywhere">
            {finding
              ? sentenceOf(finding)
              : key.includes(':')
                ? addressOf(key)
                : t('devices.testing')}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Mark({ finding }: Pick<Line, 'finding'>) {
  const [Icon, label, look] =
    finding === null
      ? ([LoaderCircle, t('devices.testing'), 'animate-spin text-muted-foreground'] as const)
      : finding.ok
        ? ([CircleCheck, t('devices.ok'), 'text-success'] as const)
        : ([CircleAlert, t('devices.problem'), 'text-destructive'] as const);
  return <Icon role="img" aria-label={label} className={`mt-0.5 size-4 shrink-0 ${look}`} />;
}
