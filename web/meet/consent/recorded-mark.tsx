import type { Participant } from '#domain/calls/participant.ts';
import type { Meeting } from '../meeting.ts';
import { useStore } from '../use-store.ts';
import { recordingText } from './recording-texts.ts';

type RecordedMarkProps = { meeting: Meeting; participant: Participant | undefined };

/** A red dot at the name of those who are recorded. */
export function RecordedMark({ meeting, participant }: RecordedMarkProps) {
  const { captures } = useStore(meeting);
  const runs = captures?.running.some(({ kind }) => kind === 'recording');
  if (!runs || !participant?.consent?.agreed.includes('recording')) return null;
  const label = recordingText('tile.recorded');
  return <span className="rec-dot" role="img" aria-label={label} title={label} />;
}
