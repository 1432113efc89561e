import { type LocalParticipant, type LocalTrackPublication, Track } from 'livekit-client';
import type { PictureLevel } from '../network/network-level.ts';
import type { Tracks } from '../paths/webrtc.ts';

type Slot = keyof Tracks;

const sources = {
  audio: Track.Source.Microphone,
  video: Track.Source.Camera,
  screen: Track.Source.ScreenShare,
  screenSound: Track.Source.ScreenShareAudio,
} satisfies Record<Slot, Track.Source>;

const slots: readonly Slot[] = ['audio', 'video', 'screen', 'screenSound'];

/** The own tracks on their way to the media server. */
export class Publications {
  readonly #self: LocalParticipant;
  readonly #tracks: () => Tracks;
  readonly #published = new Map<Slot, LocalTrackPublication>();
  #work: Promise<void> = Promise.resolve();
  #paused = false;

  constructor(self: LocalParticipant, tracks: () => Tracks) {
    this.#self = self;
    this.#tracks = tracks;
  }

  /** Brings what is sent in line with the tracks that there are now, one change after the other. */
  put(): void {
    this.#work = this.#work
      .then(() => Promise.all(slots.map((slot) => this.#putOne(slot))))
      .then(() => {})
      .catch((error) => {
        console.warn('rapport: a track could not be sent', error);
      });
  }

  /** With too narrow a way out the picture waits for better times. Less than that the browser does itself. */
  sendPicture(level: PictureLevel): void {
    const pause = level === 'paused';
    if (pause === this.#paused) return;
    this.#paused = pause;
    this.#pauseOrResume();
  }

  get picture(): PictureLevel {
    return this.#paused ? 'paused' : 'full';
  }

  get senders(): RTCRtpSender[] {
    return [...this.#published.values()].flatMap(({ track }) => track?.sender ?? []);
  }

  async #putOne(slot: Slot): Promise<void> {
    const track = this.#tracks()[slot];
    const published = this.#published.get(slot);
    const sent = published?.track;
    if (track === null) {
      if (!published) return;
      this.#published.delete(slot);
      if (sent) await this.#self.unpublishTrack(sent, false);
    } else if (!published) {
      await this.#publish(slot, track);
    } else if (sent && sent.mediaStreamTrack !== track) {
      await sent.replaceTrack(track, true);
    }
    if (slot === 'audio') await this.#followSwitch();
  }

  async #publish(slot: Slot, track: MediaStreamTrack): Promise<void> {
    const published = await this.#self.publishTrack(track, {
      source: sources[slot],
      simulcast: slot === 'video' || slot === 'screen',
      dtx: slot === 'audio',
      // The sound of a film in a shared tab is no voice.
      forceStereo: slot === 'screenSound',
    });
    this.#published.set(slot, published);
    if (slot === 'video') this.#pauseOrResume();
  }

  /** A muted microphone is muted there too, where a host may have muted it. */
  async #followSwitch(): Promise<void> {
    const on = this.#tracks().audio?.enabled ?? false;
    const published = this.#published.get('audio');
    if (!published?.track || published.isMuted === !on) return;
    if (on) await published.track.unmute();
    else await published.track.mute();
  }

  #pauseOrResume(): void {
    const camera = this.#published.get('video')?.track;
    const done = this.#paused ? camera?.pauseUpstream() : camera?.resumeUpstream();
    done?.catch(() => {
      // Gone meanwhile: what comes next is published as it should be.
    });
  }
}
