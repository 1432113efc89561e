import { othersInMeeting } from '#web/live/roster.ts';
import { type Store, WritableStore } from '#web/live/store.ts';
import type { MicrophoneTrouble } from '#web/media/devices/microphone-check.ts';
import type { OwnMicrophone } from '#web/media/devices/own-microphone.ts';
import type { Receiver } from '#web/media/webrtc.ts';
import type { MeetingState } from '../meeting-state.ts';
import { type Levels, nextActive, nextLevels, speakingIn } from './active-speaker.ts';

export type SpeakersState = {
  speaking: readonly string[];
  /** Of the others: the current speaker, or in silence the last one. */
  active: string | null;
  /** A suspected problem of this participant's microphone. */
  trouble: MicrophoneTrouble | null;
};

/**
 * A level is that of the last packet, so it is sampled more often than it is judged. The interval
 * does not divide a second evenly: otherwise a sound that repeats twice a second could always fall
 * between two samples.
 */
const lookEveryMs = 130;
const looksPerWindow = 4;

/** Detects speakers from the levels that WebRTC measures anyway. */
export class Speakers extends WritableStore<SpeakersState> {
  readonly #meeting: Store<Pick<MeetingState, 'roster' | 'views'>>;
  readonly #own: Pick<OwnMicrophone, 'measure' | 'trouble' | 'stop'>;
  #levels: Levels = new Map();
  #ownLevels: Levels = new Map();
  #peaks = new Map<string, number>();
  #looks = 0;

  constructor(
    meeting: Store<Pick<MeetingState, 'roster' | 'views'>>,
    own: Pick<OwnMicrophone, 'measure' | 'trouble' | 'stop'>,
  ) {
    super({ speaking: [], active: null, trouble: null });
    this.#meeting = meeting;
    this.#own = own;
  }

  /** @returns a function that stops it */
  follow(): () => void {
    const timer = setInterval(() => this.#look(), lookEveryMs);
    return () => {
      clearInterval(timer);
      this.#own.stop();
      this.#levels = new Map();
      this.update({ speaking: [], active: null, trouble: null });
    };
  }

  #look(): void {
    const { roster, views } = this.#meeting.getSnapshot();
    for (const { id, media } of othersInMeeting(roster)) {
      const level = media.audio ? levelOf(views.get(id)?.audioReceiver ?? null) : 0;
      this.#peaks.set(id, Math.max(level, this.#peaks.get(id) ?? 0));
    }
    this.#looks = (this.#looks + 1) % looksPerWindow;
    if (this.#looks === 0) this.#judge(roster.self ?? '');
  }

  #judge(self: string): void {
    this.#levels = nextLevels(this.#levels, this.#peaks);
    this.#peaks = new Map();
    const others = speakingIn(this.#levels);
    const own = this.#own.measure(this.#levels.size > 0 && others.length === 0);
    this.#ownLevels = nextLevels(this.#ownLevels, new Map([[self, own]]));
    const before = this.getSnapshot();
    const speaking = [...others, ...speakingIn(this.#ownLevels)];
    const active = nextActive(before.active, this.#levels);
    const { trouble } = this.#own;
    const same = before.speaking.join() === speaking.join();
    if (same && before.active === active && before.trouble === trouble) return;
    this.update({ speaking, active, trouble });
  }
}

const seenAt = new WeakMap<Receiver, number>();

/** Browsers report a silent source with its last level for ten seconds, so only a new timestamp counts. */
function levelOf(receiver: Receiver | null): number {
  const [source] = receiver?.getSynchronizationSources?.() ?? [];
  if (receiver === null || source === undefined) return 0;
  const isNew = seenAt.get(receiver) !== source.timestamp;
  seenAt.set(receiver, source.timestamp);
  return isNew ? (source.audioLevel ?? 0) : 0;
}
