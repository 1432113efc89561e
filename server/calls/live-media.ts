import type { Participant } from '#domain/calls/live.ts';
import { mediaRoomId, type RoomId } from '#domain/ids.ts';
import type { Tenant } from '#server/platform/access.ts';
import { newId } from '#server/platform/ids.ts';
import type { MediaRoom } from '#server/providers/video/media-server.ts';
import type { Services } from '#server/services.ts';
import { isFull, type Person, reaches } from './live-person.ts';
import { type LocalRoom, learnMediaRoom } from './local-room.ts';
import { findMediaRoom, type MediaReason, openMediaRoom, replaceMediaRoom } from './media-rooms.ts';
import { type Outgoing, type RoomEvent, tellRoom } from './room-events.ts';

type Pass = Extract<Outgoing, { type: 'media-server' }>;

/** Names tried at once, since the nodes that LiveKit chooses among may be dead for seconds before it knows. */
const namesAtOnce = 4;
const mostRounds = 8;
/** A page that lost its media asks again and again; more often than this it hears nothing. */
const askedEveryMs = 1_000;
/** Long enough that everybody has moved; who has not by then has no way to. */
const leftAfterMs = 10_000;

/**
 * Media through a media server, for the rooms that need one: who gets in, when the call moves there,
 * and where to when a node dies. What is decided is stored, then told to everybody.
 */
export class LiveMedia {
  readonly #services: Services;
  readonly #asked = new WeakMap<Person, number>();
  readonly #renewing = new Map<RoomId, Promise<void>>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Whether the person has a way to the others; a call that outgrows the mesh moves, where it can. */
  async hasWay(person: Person, room: LocalRoom, others: Participant[]): Promise<boolean> {
    const { video, config } = this.#services;
    // How many a hosted page takes is the provider's to say.
    if (room.mediaRoom || video.page) return true;
    const full = isFull(others, config.MESH_LIMIT);
    if (!this.#hasServer || !(full || this.#isEngine)) return !full;
    learnMediaRoom(room, await this.#open(person));
    return true;
  }

  /** Who is in the meeting learns how to get into the room's media, where they go by a server. */
  async givePass(person: Person, { mediaRoom }: LocalRoom): Promise<void> {
    const session = person.sessions.get('meeting');
    if (!session || !person.participant.inMeeting || !mediaRoom) return;
    session.send(await this.#pass(mediaRoom, person));
  }

  /** The call has moved to the media server, or to another room of it, or nobody is left there. */
  follow(room: LocalRoom, event: RoomEvent): void {
    if (event.mediaRoom === null) room.mediaRoom = null;
    else learnMediaRoom(room, event.mediaRoom ?? null);
    for (const person of room.people.values()) {
      if (reaches(event, person)) this.#inBackground(this.givePass(person, room));
    }
  }

  /** A page has no media any more: the room may be dead, or only this page's way to it. */
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
    // Everybody gets the next one by the room's event, the asker too.
    await this.renew(tenant, current, 'node_lost');
    return null;
  }

  /** Everybody moves to a new media room, and nobody is left in the one before. */
  async renew(tenant: Tenant, before: MediaRoom, reason: MediaReason): Promise<void> {
    const running = this.#renewing.get(before.roomId);
    if (running) return running;
    const work = this.#renew(tenant, before, reason).finally(() => {
      this.#renewing.delete(before.roomId);
    });
    this.#renewing.set(before.roomId, work);
    return work;
  }

  /** A host let somebody go for good, whose pass may still be good for a while. */
  removed({ admitted }: Person): void {
    if (!this.#hasServer) return;
    const { tenant, claims } = admitted;
    const move = async () => {
      const current = await findMediaRoom(tenant, claims.roomId);
      if (current === null) return;
      await this.#server.remove(current, claims.participantId);
      await this.renew(tenant, current, 'removal');
    };
    this.#inBackground(move());
  }

  /** Whoever has left the meeting is not to hear it any longer, whatever their page does. */
  left(room: MediaRoom | null, { admitted, participant }: Person): void {
    if (room && participant.inMeeting)
      this.#inBackground(this.#server.remove(room, admitted.claims.participantId));
  }

  mute(room: MediaRoom | null, { admitted }: Person): void {
    if (room) this.#inBackground(this.#server.mute(room, admitted.claims.participantId));
  }

  ended(room: MediaRoom | null): void {
    if (room) this.#inBackground(this.#server.close(room));
  }

  /** Whether more people come in than fit into a mesh. */
  get #hasServer(): boolean {
    return this.#services.video.mediaServer !== null;
  }

  /** Every call, from its first person on. */
  get #isEngine(): boolean {
    return this.#services.video.name === 'livekit';
  }

  /** The room's media go by the server from here on; everybody else who is in hears it. */
  async #open({ admitted }: Person): Promise<MediaRoom | null> {
    const { tenant, claims } = admitted;
    const room = claims.roomId;
    const reason = this.#isEngine ? 'engine' : 'mesh_full';
    const opened = await openMediaRoom(tenant, newId(mediaRoomId), room, reason);
    if (!opened) return null;
    if (opened.isNew) {
      // People need not wait: LiveKit makes the room with the first of them, too.
      this.#inBackground(this.#server.place([opened.room]));
      tellRoom(this.#services.bus, room, { except: claims.participantId, mediaRoom: opened.room });
    }
    return opened.room;
  }

  async #pass(room: MediaRoom, { admitted }: Person): Promise<Pass> {
    const { url, token } = await this.#server.pass(room, admitted.claims.participantId);
    return { type: 'media-server', room: room.id, url, token };
  }

  async #renew(tenant: Tenant, before: MediaRoom, reason: MediaReason): Promise<void> {
    const next = await this.#place(before);
    if (!(await replaceMediaRoom(tenant, before, next, reason))) {
      // Another process was faster, or the call is over.
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

  get #server() {
    const { mediaServer } = this.#services.video;
    if (mediaServer === null) throw new Error('unreachable: no media server is set up');
    return mediaServer;
  }

  /** The call goes on whatever becomes of it. */
  #inBackground(work: Promise<unknown>): void {
    work.catch((error) => this.#services.log.warn({ err: error }, 'the media server did not obey'));
  }
}
