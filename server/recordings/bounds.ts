import { largestPart } from '#domain/recordings/contract.ts';
import type { Config } from '#server/config.ts';
import { Allowance } from '#server/platform/allowance.ts';
import { leftOnDisk } from '#server/platform/disk-room.ts';
import { tooManyWaiting } from '#server/platform/fair-queue.ts';
import { type OrganizationTime, organizationTime } from '#server/platform/organization-time.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';

/** Every bound of what pages upload for recordings. A call of six hours at 2.5 Mbit/s takes 7 GB of one person. */
export const uploadBounds = {
  /** Bytes of one person in one call, their camera and screen together. */
  mostBytesOfParticipant: 16 * 1024 ** 3,
  /** A reload or another camera begins a segment. */
  mostSegmentsOfTrack: 500,
  /** Six hours of parts of two seconds are 10,800. */
  mostPartsOfSegment: 100_000,
  /** Room that uploads leave on the disk, which the database may share. */
  leftOnDisk,
  /** Bytes of parts that are read and handled at a time, those of one organization, and parts of one person. */
  placeBytes: 48 * 1024 * 1024,
  placeBytesOfOrganization: 24 * 1024 * 1024,
  placesOfParticipant: 3,
  /** How long the upload token of a segment is valid. */
  uploadSeconds: 24 * 60 * 60,
} as const;

/** Camera and screen are less than 1 MB a second; what could not be sent follows faster. */
const ofParticipant = { burst: 64 * largestPart, perSecond: 8 * 1024 * 1024 };
const ofOrganization = { burst: 1024 * largestPart, perSecond: 128 * 1024 * 1024 };

/**
 * How fast parts of an organization are read: each megabyte takes several milliseconds of the processor, half of them
 * to collect garbage. Seventy people who are recorded in 2.5 Mbit/s send 24 MB a second. More wait, in turns of the
 * participants, so that what could not be sent before comes as fast.
 */
const paceOfOrganization = { burst: largestPart, perSecond: 24 * 1024 * 1024 };
/** Parts of a participant that wait. One more is refused. */
const mostWaiting = 20;

/** What a part costs at least, because each is two statements and a write to the disk. A page has one in two seconds. */
const leastOfParticipant = 256 * 1024;
/** What a part waits for at least: 256 of an organization in a second. Three hundred people who are recorded send 150. */
const leastOfTurn = 96 * 1024;
const leastOfOrganization = 512 * 1024;

/**
 * How often segments of an organization begin and are completed, a few statements each. Everyone in a large meeting
 * begins at the same moment: what is beyond it waits, in turns of the participants.
 */
const segmentsOfOrganization = { burst: 20, perSecond: 50 };
/** Segments of a participant that wait, with camera and screen. One more is refused. */
const mostSegmentsWaiting = 4;

interface Sender {
  participantId: string;
  orgId: string;
}

/** Paces what participants and organizations upload, and their segments. */
export class UploadRates {
  readonly #participants: Allowance;
  readonly #organizations: Allowance;
  readonly #segments: PacedTurns;
  readonly #turns: PacedTurns;
  readonly #time: OrganizationTime;

  constructor(config: Pick<Config, 'RATE_LIMIT_SCALE'>) {
    const scale = config.RATE_LIMIT_SCALE;
    this.#time = organizationTime(config);
    this.#participants = new Allowance(ofParticipant, scale);
    this.#organizations = new Allowance(ofOrganization, scale);
    this.#segments = new PacedTurns(segmentsOfOrganization, scale);
    this.#turns = new PacedTurns(paceOfOrganization, scale);
  }

  /**
   * Waits until the segment may begin or be completed.
   * @returns false if `signal` was aborted first
   * @throws DomainError 429
   */
  async segmentTurn({ participantId, orgId }: Sender, signal: AbortSignal): Promise<boolean> {
    const waiting =
      this.#segments.waiting(orgId, participantId) +
      this.#time.waiting(orgId, 'others', 'segment', participantId);
    if (waiting >= mostSegmentsWaiting) throw tooManyWaiting();
    return (
      (await this.#segments.turn(orgId, participantId, signal)) &&
      this.#time.turn(orgId, 'others', 'segment', participantId, signal)
    );
  }

  /**
   * Waits until the part may be read.
   * @returns false if `signal` was aborted first
   * @throws DomainError 429
   */
  async turn(
    { participantId, orgId }: Sender,
    bytes: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (this.#turns.waiting(orgId, participantId) >= mostWaiting) throw tooManyWaiting();
    if (this.#time.waiting(orgId, 'others', 'part', participantId) >= mostWaiting)
      throw tooManyWaiting();
    return (
      (await this.#turns.turn(orgId, participantId, signal, Math.max(bytes, leastOfTurn))) &&
      this.#time.turn(orgId, 'others', 'part', participantId, signal, bytes)
    );
  }

  /** Returns the milliseconds after which the sender may send again; 0 within the bounds. */
  spend(participant: string, organization: string, bytes: number): number {
    return Math.max(
      this.#participants.take(participant, Math.max(bytes, leastOfParticipant)),
      this.#organizations.take(organization, Math.max(bytes, leastOfOrganization)),
    );
  }
}
