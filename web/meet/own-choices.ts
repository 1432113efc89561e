import {
  type RememberedChoice,
  readChoice,
  rememberChoice,
} from '#web/media/devices/remembered-choice.ts';
import { type MeetingEntry, needsName } from './read-entry.ts';

/** Links where the preview is skipped. Beyond it, the oldest one is forgotten. */
const mostLinks = 20;
/** The end of a link names it without being enough to open it. */
const linkEnd = 10;

/** How this page joins: a guest's name, and the choices that this device remembers. */
export class OwnChoices {
  /** Guests choose a name; the server names staff, and the users of an embedding product. */
  readonly needsName: boolean;
  /** The name that an embedding product has given. */
  readonly givenName: string | null;
  /**
   * Whether the preview may be skipped: links of guests lead into calls of any organization, and any site may open
   * them, so guests choose it for each link. A member's page skips it only within the application, which opens rooms of
   * their own organization.
   */
  readonly maySkipPreview: boolean;
  readonly #link: string | null;
  readonly #storage: Storage;
  #name: string | undefined;

  constructor(entry: MeetingEntry, isFramed: boolean, deviceStorage: Storage) {
    this.#link = entry.kind === 'guest' ? entry.scope.slice(-linkEnd) : null;
    this.maySkipPreview = entry.kind === 'guest' || isFramed;
    this.needsName = needsName(entry);
    this.givenName = entry.kind === 'guest' ? entry.name : null;
    this.#storage = deviceStorage;
  }

  /** A guest's own name; undefined for those whom the server names. */
  get name(): string | undefined {
    return this.needsName ? this.#name : undefined;
  }

  get hasName(): boolean {
    return !this.needsName || this.#name !== undefined;
  }

  /** The choices that were remembered on this device. */
  get remembered(): RememberedChoice {
    return readChoice(this.#storage);
  }

  remember(changed: Partial<RememberedChoice>): void {
    rememberChoice(this.#storage, changed);
  }

  get skipsPreview(): boolean {
    const { skipPreview, skipPreviewAt = [] } = this.remembered;
    if (this.#link !== null) return skipPreviewAt.includes(this.#link);
    return this.maySkipPreview && skipPreview;
  }

  skipPreview(isWanted: boolean): void {
    if (this.#link === null) {
      this.remember({ skipPreview: isWanted });
      return;
    }
    const others = (this.remembered.skipPreviewAt ?? []).filter((link) => link !== this.#link);
    const newest = isWanted ? [...others, this.#link].slice(-mostLinks) : others;
    this.remember({ skipPreviewAt: newest });
  }

  restoreName(): void {
    this.#name = this.remembered.name;
  }

  setName(name: string | undefined): void {
    this.#name = name;
    if (name !== undefined) this.remember({ name });
  }
}
