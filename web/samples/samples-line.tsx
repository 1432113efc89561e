import { useMay } from '#web/auth/use-may.ts';
import { t } from '#web/platform/texts.ts';
import { useLoadSamples, useRemoveSamples } from '#web/samples/queries.ts';
import { Button } from '#web/ui/button.tsx';

/** For admins: loads the sample data by one click, or removes it by one. */
export function SamplesLine({ areLoaded }: { areLoaded: boolean }) {
  const load = useLoadSamples();
  const remove = useRemoveSamples();
  const change = areLoaded ? remove : load;
  if (!useMay('samples.manage')) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted-foreground">
      <p className="min-w-52 flex-1">{t(areLoaded ? 'samples.areLoaded' : 'samples.offer')}</p>
      <Button
        look="outline"
        size="small"
        disabled={change.isPending}
        onClick={() => change.mutate()}
      >
        {t(areLoaded ? 'samples.remove' : 'samples.load')}
      </Button>
    </div>
  );
}
