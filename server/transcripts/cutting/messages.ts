import type { Phrase } from './phrase-cutter.ts';

/** Whose sound it is: what a person may send, and the organization in whose turn it is read. */
export interface SpeakerKey {
  participantId: string;
  orgId: string;
}

/** To the process that cuts. A stream is one WebM file that grows. */
export type ToCutter =
  /** `isStreamed`: the sound of phrases is wanted while they are said, too. */
  | { kind: 'open'; stream: number; speaker: SpeakerKey; isStreamed: boolean }
  | { kind: 'bytes'; stream: number; bytes: Uint8Array }
  /** No more bytes follow. */
  | { kind: 'close'; stream: number };

/** From the process that cuts. */
export type FromCutter =
  | { kind: 'ready'; detector: 'silero' | 'energy' }
  /** Of the phrase that is being said: 16 kHz, 16 bits, little-endian. */
  | { kind: 'sound'; stream: number; pcm: Uint8Array }
  /** All of its sound was sent before. */
  | { kind: 'phrase'; stream: number; phrase: Phrase }
  /** Bytes were read, so that as many more may be sent. */
  | { kind: 'read'; stream: number; bytes: number }
  | { kind: 'ended'; stream: number; error: string | null };
