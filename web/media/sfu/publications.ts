import { type LocalParticipant, type LocalTrackPublication, Track } from 'livekit-client';
import type { VideoLevel } from '../network/network-level.ts';
import type { Tracks } from '../webrtc.ts';

type Slot = keyof Tracks;

const sources = {
  audio: Track.Source.Microphone,
  video: Track.Source.Camera,
  screen: Track.Source.ScreenShare,
  screenAudio: Track.Source.ScreenShareAudio,
} satisfies Record<Slot, Track.Source>;

const slots: readonly Slot[] = ['audio', 'video', 'screen', 'screenAudio'];

/** This page's tracks, published to the SFU. */
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

  /** Publishes the current tracks in place of the previous ones, one change after the other. */
  put(): void {
    this.#work = this.#work
      .then(() => Promise.all(slots.map((slot) => this.#putOne(slot))))
      .then(() => {})
      .catch((error) => {
        console.warn('rapport: a track could not be sent', error);
      });
  }

  /** Pauses the camera video if the uplink is too narrow. Between full and paused the browser adapts it. */
  sendVideo(level: VideoLevel): void {
    const pause = level === 'paused';
    if (pause === this.#paused) return;
    this.#paused = pause;
    this.#pauseOrResume();
  }

  get level(): VideoLevel {
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
      // The audio of a shared tab may be a film or music.
      forceStereo: slot === 'screenAudio',
    });
    this.#published.set(slot, published);
    if (slot === 'video') this.#pauseOrResume();
  }

  /** Mutes and unmutes at the SFU as on this page; a host may have muted the microphone. */
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
      // Unpublished meanwhile: the next publication has the right state.
    });
  }
}
