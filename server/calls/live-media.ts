import type { Participant } from '#domain/calls/participant.ts';
import { mediaRoomId, type OrgId, type RoomId } from '#domain/ids.ts';
import { tenantOf } from '#server/platform/access.ts';
import { newId } from '#server/platform/ids.ts';
import type { MediaRoom } from '#server/providers/video/media-room.ts';
import type { Services } from '#server/services.ts';
import { isFull, type Person, reaches } from './live-person.ts';
import { type LocalRoom, learnMediaRoom } from './local-room.ts';
import { findMediaRoom, type MediaReason, openMediaRoom, replaceMediaRoom } from './media-rooms.ts';
import { type Outgoing, type RoomEvent, tellRoom } from './room-events.ts';

type Pass = Extract<Outgoing, { type: 'media-server' }>;

/**
 * Number of room names tried in parallel, because LiveKit may assign rooms to a dead node for
 * seconds before it notices.
 */
const namesAtOnce = 4;
const mostRounds = 8;
/** A page that lost its media asks repeatedly. It is answered no more often than this. */
const askedEveryMs = 1_000;
/** Long enough for all participants to move. Those who have not moved by then cannot. */
const leftAfterMs = 10_000;

/**
 * Media through a media server, for the rooms that need one: who is admitted, when the call moves
 * there, and where to when a node dies. Decisions are stored first, and then sent to all
 * participants.
 */
export class LiveMedia {
  readonly #services: Services;
  readonly #asked = new WeakMap<Person, number>();
  readonly #renewing = new Map<RoomId, Promise<void>>();

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Returns whether the participant's media can reach the others. A call that outgrows the mesh
   * moves to the media server, if there is one.
   */
  async hasWay(person: Person, room: LocalRoom, others: Participant[]): Promise<boolean> {
    const { video, config } = this.#services;
    // The provider limits the participants of a hosted page.
    if (room.mediaRoom || video.page) return true;
    const full = isFull(others, config.MESH_LIMIT);
    if (!this.#hasServer || !(full || this.#isEngine)) return !full;
    learnMediaRoom(room, await this.#open(person));
    return true;
  }

  /** Sends the access token to a participant in the meeting, if the room's media use a media server. */
  async givePass(person: Person, { mediaRoom }: LocalRoom): Promise<void> {
    const session = person.sessions.get('meeting');
    if (!session || !person.participant.inMeeting || !mediaRoom) return;
    session.send(await this.#pass(mediaRoom, person));
  }

  /**
   * Handles a move of the call to the media server or to another media room, or the end of that
   * room's use.
   */
  follow(room: LocalRoom, event: RoomEvent): void {
    if (event.mediaRoom === null) room.mediaRoom = null;
    else learnMediaRoom(room, event.mediaRoom ?? null);
    for (const person of room.people.values()) {
      if (reaches(event, person)) this.#inBackground(this.givePass(person, room));
    }
  }

  /** Handles a page that lost its media: the room may be dead, or only this page's connection to it. */
  async lost(person: Person, named: string): Promise<Pass | null> {
    if (!person.participant.inMeeting || !this.#hasServer) return null;
    const now = Date.now();
    if (now - (this.#asked.get(person) ?? 0) < askedEveryMs) return null;
    this.#asked.set(person, now);
    const { tenant, claims } = person.admitted;
    const current = await findMediaRoom(tenant, claims.roomId);
    if (!current) return null;
    if (current.id !== named || (await this.#server.isAlive(current))) {
      return this.#pass(current, person);
    }
    this.#services.log.warn({ mediaRoom: current.id }, 'a media room does not answer');
    // All participants get the next room by the room's event, the sender included.
    await this.renew(current, 'node_lost');
    return null;
  }

  /** Moves all participants to a new media room, and closes the previous one. */
  async renew(before: MediaRoom, reason: MediaReason): Promise<void> {
    const running = this.#renewing.get(before.roomId);
    if (running) return running;
    const work = this.#renew(before, reason).finally(() => {
      this.#renewing.delete(before.roomId);
    });
    this.#renewing.set(before.roomId, work);
    return work;
  }

  /** Moves the call after a host removed a guest, whose access token may still be valid for a while. */
  removed({ admitted }: Person): void {
    if (!this.#hasServer) return;
    const { claims } = admitted;
    const move = async () => {
      const current = await findMediaRoom(this.#system(claims), claims.roomId);
      if (current === null) return;
      await this.#server.remove(current, claims.participantId);
      await this.renew(current, 'removal');
    };
    this.#inBackground(move());
  }

  /** Removes a participant who left the meeting from its media, whatever their page does. */
  left(room: LocalRoom | undefined, { admitted, participant }: Person): void {
    if (room?.mediaRoom && participant.inMeeting)
      this.#inBackground(this.#server.remove(room.mediaRoom, admitted.claims.participantId));
  }

  mute(room: MediaRoom | null, { admitted }: Person): void {
    if (room) this.#inBackground(this.#server.mute(room, admitted.claims.participantId));
  }

  ended(room: MediaRoom | null): void {
    if (room) this.#inBackground(this.#server.close(room));
  }

  /** Whether calls can grow beyond a mesh. */
  get #hasServer(): boolean {
    return this.#services.video.mediaServer !== null;
  }

  /** Whether every call uses the media server from its first participant on. */
  get #isEngine(): boolean {
    return this.#services.video.name === 'livekit';
  }

  /** Opens a media room for the call, and informs all other participants. */
  async #open({ admitted }: Person): Promise<MediaRoom | null> {
    const { tenant, claims } = admitted;
    const room = claims.roomId;
    const reason = this.#isEngine ? 'engine' : 'mesh_full';
    const opened = await openMediaRoom(tenant, newId(mediaRoomId), room, reason);
    if (!opened) return null;
    if (opened.isNew) {
      // Participants need not wait, because LiveKit also creates the room when the first of them
      // joins.
      this.#inBackground(this.#server.place([opened.room]));
      tellRoom(this.#services.bus, room, { except: claims.participantId, mediaRoom: opened.room });
    }
    return opened.room;
  }

  async #pass(room: MediaRoom, { admitted }: Person): Promise<Pass> {
    const { url, token } = await this.#server.pass(room, admitted.claims.participantId);
    return { type: 'media-server', room: room.id, url, token };
  }

  async #renew(before: MediaRoom, reason: MediaReason): Promise<void> {
    const next = await this.#place(before);
    if (!(await replaceMediaRoom(this.#system(before), before, next, reason))) {
      // Another process was faster, or the call has ended.
      this.#inBackground(this.#server.close(next));
      return;
    }
    tellRoom(this.#services.bus, before.roomId, { mediaRoom: next });
    setTimeout(() => this.#inBackground(this.#server.close(before)), leftAfterMs).unref();
  }

  async #place({ orgId, roomId }: MediaRoom): Promise<MediaRoom> {
    let last: unknown;
    for (let round = 0; round < mostRounds; round += 1) {
      const rooms = Array.from({ length: namesAtOnce }, () => ({
        orgId,
        roomId,
        id: newId(mediaRoomId),
      }));
      try {
        return await this.#server.place(rooms);
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }

  /** Moves a room, which no participant may refuse or be needed for: the one who is the reason may be gone. */
  #system({ orgId }: { orgId: OrgId }) {
    return tenantOf(this.#services.database, { kind: 'system', name: 'media-rooms', orgId }, null);
  }

  get #server() {
    const { mediaServer } = this.#services.video;
    if (mediaServer === null) throw new Error('unreachable: no media server is set up');
    return mediaServer;
  }

  /** A failure does not affect the call. */
  #inBackground(work: Promise<unknown>): void {
    work.catch((error) => this.#services.log.warn({ err: error }, 'the media server did not obey'));
  }
}
