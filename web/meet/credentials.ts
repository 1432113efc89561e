import { hasShape, isText } from '#domain/shape.ts';
import { type Identity, keepIdentity, readIdentity } from './identity.ts';
import type { MeetingEntry } from './read-entry.ts';

export type CredentialsOptions = {
  entry: MeetingEntry;
  tabStorage: Storage;
  freshGuestToken: (scope: string) => Promise<string | null>;
};

/** The token that this tab joins with, and the ones to try when it is refused. */
export class Credentials {
  readonly #options: CredentialsOptions;
  #untried: string[] = [];
  #askedForFresh = false;

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  /** This tab was in the meeting when it was reloaded. */
  get wasInMeeting(): boolean {
    return this.#identity?.inMeeting === true;
  }

  first(): string | null {
    this.#untried = tokensToTry(this.#options.entry, this.#identity);
    return this.#untried.shift() ?? null;
  }

  /** A guest's page can request one fresh token; staff reload the page around the call. */
  async next(): Promise<string | null> {
    const { entry, freshGuestToken } = this.#options;
    const untried = this.#untried.shift();
    if (untried !== undefined) return untried;
    if (entry.kind !== 'guest' || this.#askedForFresh) return null;
    this.#askedForFresh = true;
    return freshGuestToken(entry.scope);
  }

  accepted(newest: string, inMeeting: boolean): void {
    this.#askedForFresh = false;
    this.#keep({ token: newest, inMeeting });
  }

  entered(inMeeting: boolean): void {
    const token = this.#identity?.token;
    if (token !== undefined) this.#keep({ token, inMeeting });
  }

  get #identity(): Identity | null {
    return readIdentity(this.#options.tabStorage, this.#options.entry.scope);
  }

  #keep(identity: Identity): void {
    keepIdentity(this.#options.tabStorage, this.#options.entry.scope, identity);
  }
}

/**
 * Returns the tokens, best first. A guest who reloads stays the same participant, so the tab's own
 * token comes first. Staff are known by their account, and the tab's token may belong to another
 * account.
 */
export function tokensToTry(entry: MeetingEntry, identity: Identity | null): string[] {
  const tokens =
    entry.kind === 'guest' ? [identity?.token, entry.token] : [entry.token, identity?.token];
  return tokens.filter((token) => token !== undefined && token !== null);
}

/** Requests a fresh token for a guest whose page was open so long that its own expired. */
export async function freshGuestToken(scope: string): Promise<string | null> {
  try {
    const answer = await fetch(`/api${scope}`);
    const body: unknown = answer.ok ? await answer.json() : null;
    return hasShape(body, { meetingToken: isText }) ? body.meetingToken : null;
  } catch {
    return null;
  }
}
