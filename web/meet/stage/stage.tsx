import { othersInMeeting } from '#web/live/roster.ts';
import { type Network, ownQuality } from '#web/media/network/network.ts';
import type { Reactions } from '../controls/reactions.ts';
import type { Meeting } from '../meeting.ts';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';
import { arrange } from './arrangement.ts';
import type { LayoutChoice } from './layout-choice.ts';
import { OtherTile, SelfTile } from './person-tile.tsx';
import { Screens, sharedScreens } from './screens.tsx';
import { SoundButton } from './sound.tsx';
import { Sounds } from './sounds.tsx';
import type { Speakers } from './speakers.ts';
import { ShowSelfButton } from './tile-actions.tsx';

type StageProps = {
  meeting: Meeting;
  reactions: Reactions;
  speakers: Speakers;
  choice: LayoutChoice;
  network: Network;
};

/** All participants. The style sheets lay them out by layout, number, and available room. */
export function Stage({ meeting, reactions, speakers, choice, network }: StageProps) {
  const { roster, views } = useStore(meeting);
  const { chosen } = useStore(meeting.media);
  const { shown } = useStore(reactions);
  const { connections, own } = useStore(network);
  const { speaking, active } = useStore(speakers);
  const others = othersInMeeting(roster);
  const shared = sharedScreens(others, views);
  const self = roster.self ?? 'self';
  const arrangement = arrange(useStore(choice), {
    self,
    others: others.map(({ id }) => id),
    active,
    screensShared: shared.length > 0,
  });
  const placeOf = (id: string) => ({
    arrangement,
    choice,
    speaking: speaking.includes(id),
    reaction: shown.get(id),
  });
  const selfHidden = arrangement.self === 'hidden';
  return (
    <main
      className="stage"
      data-shared={shared.length > 0 || undefined}
      aria-label={text('meeting.label')}
    >
      {shared.length > 0 && <Screens shared={shared} />}
      <ul
        className="tiles"
        data-layout={arrangement.kind}
        data-count={others.length + (selfHidden ? 0 : 1)}
      >
        {others.map((one) => (
          <OtherTile
            meeting={meeting}
            key={one.id}
            participant={one}
            view={views.get(one.id)}
            connection={connections.get(one.id)}
            {...placeOf(one.id)}
          />
        ))}
        {!selfHidden && <SelfTile meeting={meeting} quality={ownQuality(own)} {...placeOf(self)} />}
      </ul>
      {selfHidden && <ShowSelfButton choice={choice} />}
      {others.length === 0 && roster.self !== null && (
        <div className="waiting" role="status">
          <strong>{text('meeting.waiting')}</strong>
          <span>{text('meeting.waitingHint')}</span>
        </div>
      )}
      <SoundButton />
      <Sounds others={others} views={views} speakerId={chosen.speakerId ?? ''} />
    </main>
  );
}
