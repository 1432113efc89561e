import { lazy, Suspense } from 'react';
import { useGettingStarted } from '#web/getting-started/queries.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { SamplesLine } from '#web/samples/samples-line.tsx';
import { Card } from '#web/ui/card.tsx';

const StepsCard = lazy(() => import('#web/getting-started/steps-card.tsx'));

/** Shows the list whether or not it was dismissed: `/app?start`. */
const startParam = 'start';

/** The steps of the first hour, above the dashboard, and what is said while sample data is loaded. */
export function GettingStarted() {
  const started = useGettingStarted();
  const asked = useAddressDialog(startParam);
  if (!started) return null;
  if (started.isShown || asked.value !== null)
    return (
      <Suspense>
        <StepsCard started={started} {...(asked.value === null ? {} : { onClose: asked.close })} />
      </Suspense>
    );
  if (started.samplesLoadedAt === null) return null;
  return (
    <Card className="px-5 py-3">
      <SamplesLine areLoaded />
    </Card>
  );
}
