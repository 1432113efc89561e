import type { ToServer } from '#domain/calls/live.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Config } from '#server/config.ts';
import { Allowance } from '#server/platform/allowance.ts';
import type { LiveSession } from './live-session.ts';

/** Messages that all pages of an organization may have missed and receive again, for pages that missed many. */
const replayed = { burst: 2_000, perSecond: 500 };
/** A page that missed fewer is not counted: its hello costs more than these. */
const few = 10;

type Resume = Extract<ToServer, { type: 'hello' }>['resume'];

/** Decides which hellos resume their session. Scaled like the rate limits. */
export class Replays {
  readonly #allowance: Allowance;

  constructor({ RATE_LIMIT_SCALE: scale }: Pick<Config, 'RATE_LIMIT_SCALE'>) {
    this.#allowance = new Allowance(replayed, scale);
  }

  /**
   * Returns after which message the session continues; null if the page needs a new session: the hello names
   * another one, messages are lost, or the organization's pages have had many messages replayed.
   */
  resumeAfter(orgId: OrgId, session: LiveSession | undefined, resume: Resume): number | null {
    if (!resume || session?.id !== resume.session) return null;
    const { sequence } = resume;
    if (!session.canResume(sequence)) return null;
    const missed = session.sequence - sequence;
    return missed <= few || this.#allowance.take(orgId, missed) === 0 ? sequence : null;
  }
}
