import type { WebSocket } from 'ws';
import { closeCodes, goingAway, sayHelloAgain } from '#domain/calls/close-codes.ts';
import type { ToServer } from '#domain/calls/live.ts';
import type { Channel, Participant } from '#domain/calls/participant.ts';
import type { RoomId } from '#domain/ids.ts';
import type { Services } from '#server/services.ts';
import { Absences } from './absences.ts';
import type { Admitted } from './admit-participant.ts';
import { sendOut } from './hosted-removal.ts';
import { attend, attendNoMore, closeWithLastPage } from './live-attendance.ts';
import { LiveMedia } from './live-media.ts';
import { endFormer, handEvent, newPerson, type Person, reaches, sessionOf } from './live-person.ts';
import { LiveRoster } from './live-roster.ts';
import { LiveSession } from './live-session.ts';
import {
  type Expected,
  hear,
  knowCall,
  type LocalRoom,
  LocalRooms,
  learnMediaRoom,
  learnOthers,
  requireStillExpected,
} from './local-room.ts';
import { PanelGreetings } from './panel-state.ts';
import {
  endReplaced,
  followElsewhere,
  isEnd,
  replaceElsewhere,
  requireNotReplaced,
} from './replaced-sessions.ts';
import { Replays } from './replays.ts';
import type { Addressed, RoomEvent } from './room-events.ts';
import { takePlace } from './take-place.ts';
import { makeWelcome } from './welcome.ts';

type Hello = Extract<ToServer, { type: 'hello' }>;

/** The rooms with participants on this process. */
export class LiveRooms {
  readonly roster: LiveRoster;
  readonly greetings: PanelGreetings;
  readonly #services: Services;
  readonly #media: LiveMedia;
  readonly #rooms: LocalRooms;
  readonly #replays: Replays;
  readonly #lookAgain: (person: Person) => void;
  readonly #absences = new Absences((...page) => this.leave(...page));

  /** @param lookAgain reads a person's rights again: those of guests may have ended by time before their call starts */
  constructor(services: Services, lookAgain: (person: Person) => void) {
    this.#lookAgain = lookAgain;
    this.#rooms = new LocalRooms(services.bus, (...told) => this.#deliver(...told));
    this.#services = services;
    this.#replays = new Replays(services.config);
    this.greetings = new PanelGreetings(services, (person) => this.callOf(person));
    this.#media = new LiveMedia(services);
    this.roster = new LiveRoster(services, (...event) => this.receivers(...event));
  }

  /** Returns for how many pages of a room an event is sent or kept, on any process. */
  receivers(roomId: RoomId, event: Addressed): number {
    return this.#rooms.receivers(roomId, event);
  }

  /** Listens to a room from before an admission is read, so that changes in the meantime are received. */
  expect(roomId: RoomId): Promise<Expected> {
    return this.#rooms.expect(roomId);
  }

  /**
   * Admits a participant: resumes the session that the hello names if no message is lost, and
   * otherwise starts a new session in its place. The session collects messages from the first
   * moment, so that none is lost between the roster in its welcome and the first message. The caller owes `lookedUp`.
   * @throws NotAdmitted when the mesh is full, or a later hello took the place meanwhile
   */
  async enter(
    admitted: Admitted,
    hello: Hello,
    socket: WebSocket,
    expected: Expected,
  ): Promise<Person> {
    const { channel } = hello;
    const { orgId } = admitted.claims;
    requireNotReplaced(admitted, channel, expected);
    const parts = { roster: this.roster, media: this.#media };
    const room = this.#rooms.open(admitted.claims.roomId);
    const person = room.people.get(admitted.claims.participantId) ?? newPerson(admitted);
    const before = person.sessions.get(channel);
    const resumedAfter = this.#replays.resumeAfter(orgId, before, hello.resume);
    const resumed = resumedAfter !== null;
    const session = before && resumed ? before : new LiveSession(channel, orgId, admitted.readAt);
    this.#absences.end(person, channel);
    person.admitted = admitted;
    person.sessions.set(channel, session);
    person.lookUps += 1;
    room.people.set(person.participant.id, person);
    learnMediaRoom(room, admitted.mediaRoom);
    let offered: string | undefined;
    try {
      const others = await takePlace(parts, person, room, { channel, media: hello.media });
      learnOthers(room, others);
      await knowCall(room, admitted, expected.callEvents);
      const greeted = { person, room, session, resumedAfter, others, hello };
      const welcome = await makeWelcome(this.#services, greeted);
      requireStillExpected(room, person, session, expected);
      offered = welcome.offered;
      if (!resumed) before?.close(closeCodes.replaced, 'replaced');
      session.attach(socket, { ...welcome, call: room.call }, resumedAfter ?? 0);
      if (!resumed && channel === 'meeting') await this.#media.givePass(person, room);
    } catch (error) {
      this.#turnAway(person, session, this.has(person) ? before : endFormer(before, error));
      this.lookedUp(person);
      throw error;
    }
    this.roster.announce(person, channel, before !== undefined && !resumed);
    if (!resumed) replaceElsewhere(this.#services, person, session);
    if (offered && hello.offer) this.roster.offer(person, offered, hello.offer);
    attend(person, room, this.#services);
    return person;
  }

  /** A hello or a look-up of this person has ended. After the last one, an attendance that is due begins. */
  lookedUp(person: Person): void {
    person.lookUps -= 1;
    const room = this.has(person) && this.#rooms.of(person);
    if (room && person.isAttendanceDue) attend(person, room, this.#services);
  }

  /** Sends the stored state of the running call to a panel. */
  async greet(person: Person, channel: Channel): Promise<void> {
    const session = person.sessions.get(channel);
    if (channel === 'panel' && session?.socket) await this.greetings.greet(person, session);
  }

  /**
   * Moves staff from the preview into the meeting. If the mesh is full, it ends the page's session
   * instead.
   */
  async join(person: Person, media: Participant['media']): Promise<void> {
    const { participant, admitted } = person;
    Object.assign(participant, { name: admitted.name, media, inMeeting: true });
    const others = await this.roster.put(person, 'meeting');
    const room = this.#rooms.of(person);
    if (!room || !(await this.#media.hasWay(person, room, others))) {
      participant.inMeeting = false;
      person.sessions.get('meeting')?.close(closeCodes.roomFull, 'room full');
      return this.leave(person, 'meeting');
    }
    this.roster.change(person, {}, true);
    // The page learns the name under which the server has put it into the roster.
    person.sessions.get('meeting')?.send({ type: 'changed', participant: { ...participant } });
    await this.#media.givePass(person, room);
    attend(person, room, this.#services);
  }

  /** The participant's media are lost, although the WebSocket is open. */
  async mediaLost(person: Person, named: string): Promise<void> {
    const pass = await this.#media.lost(person, named);
    if (pass) person.sessions.get('meeting')?.send(pass);
  }

  /**
   * Handles the end of a page's socket, whose session may be resumed for a while. A meeting page
   * that was closed or left does not resume: its own 'leave' may not have been sent.
   */
  detach(person: Person, channel: Channel, socket: WebSocket, code: number): void {
    const session = person.sessions.get(channel);
    if (!session?.detach(socket)) return;
    if (channel === 'meeting' && code === goingAway) return void this.leave(person, channel);
    const lost = channel === 'meeting' || !person.sessions.has('meeting');
    if (lost) this.roster.change(person, { connected: false });
    this.#absences.begin(person, channel);
  }

  /**
   * Ends the session of one page. With the last one, the participant has left.
   * @param isChosen whether the person asked for it, as against a page that is closed or lost
   */
  leave(person: Person, channel: Channel, isChosen = false): void {
    this.#absences.over(person, channel);
    person.sessions.get(channel)?.close(1000, 'left');
    person.sessions.delete(channel);
    const room = this.#rooms.of(person);
    if (channel === 'meeting') this.#media.left(room, person);
    if (person.sessions.size > 0) return void this.roster.pageClosed(person, channel);
    this.#remove(person, channel);
    attendNoMore(person, this.#services);
    if (room?.isEmpty) closeWithLastPage(person, room.call, this.#services, isChosen);
  }

  callOf(person: Person): Admitted['call'] {
    return this.#rooms.of(person)?.call ?? null;
  }

  /** Returns the participants of a room on this process; by default, of all rooms. */
  everybody(roomId?: RoomId): Person[] {
    return this.#rooms.everybody(roomId);
  }

  /** Renews the presence of everybody here, and drops those whose process has died. */
  renewPresence = () => this.roster.renew(this.everybody()).then(() => this.#rooms.dropLost());

  has = (person: Person): boolean => this.#rooms.has(person);

  /** Removes a participant from the room permanently. The close code gives the page the reason. */
  expel(person: Person, code: number, reason: string): void {
    this.#rooms.endAdmissions(person, { code, reason });
    for (const session of person.sessions.values()) session.close(code, reason);
    for (const channel of [...person.sessions.keys()]) this.leave(person, channel);
  }

  /** Like `expel`, for a participant who may no longer be in the call: also removes them from its media. */
  revoke(person: Person, code: number, reason: string): void {
    const { inMeeting } = person.participant;
    this.expel(person, code, reason);
    if (!inMeeting) return;
    this.#media.removed(person);
    sendOut(this.#services, person.admitted.claims, [person.admitted.claims.participantId], true);
  }

  /** Moves the media of a participant's room away from all passes that they may have. */
  endMedia(person: Person): void {
    this.#media.removed(person);
  }

  /** Closes all sessions. Browsers reconnect to the next process with their unsent messages. */
  close(): void {
    for (const person of this.everybody()) {
      for (const timer of person.absences.values()) clearTimeout(timer);
      for (const session of person.sessions.values())
        session.close(sayHelloAgain, 'server restarts');
    }
    this.#rooms.close();
    this.roster.stop();
  }

  /** Undoes a failed admission. An earlier session keeps waiting for its page. */
  #turnAway(person: Person, session: LiveSession, before: LiveSession | undefined): void {
    const { channel } = session;
    if (person.sessions.get(channel) !== session) return;
    if (session !== before) session.close(closeCodes.replaced, 'turned away');
    if (before) person.sessions.set(channel, before);
    else person.sessions.delete(channel);
    if (before && !before.socket) this.#absences.begin(person, channel);
    if (before) this.roster.change(person, {});
    else if (person.sessions.size > 0) this.roster.pageClosed(person, channel);
    else this.#remove(person, channel);
  }

  #deliver(room: LocalRoom, event: RoomEvent): void {
    const { message } = event;
    if (event.mediaRoom !== undefined) return void this.#media.follow(room, event);
    const lost = followElsewhere(room, event, this.roster);
    if (lost) this.#deliver(room, lost);
    if (message?.type === 'call-ended') this.#media.ended(room.mediaRoom);
    if (message) hear(room, message);
    this.greetings.hear(room.id, event);
    if (isEnd(event)) for (const { ends } of room.expected) ends.push(event);
    for (const person of [...room.people.values()]) {
      if (!reaches(event, person)) continue;
      const ended = event.endedSession && sessionOf(person, event.endedSession);
      if (ended) this.leave(person, ended.channel);
      if (endReplaced(person, event, this.#absences)) this.#remove(person);
      if (message?.type === 'muted') this.#media.mute(room.mediaRoom, person);
      handEvent(person, event);
      if (event.close) this.#closed(person, event.close.code);
      else if (message?.type === 'call-started') this.#callStarted(person, room);
    }
  }

  #closed(person: Person, code: number): void {
    this.#media.left(this.#rooms.of(person), person);
    this.#remove(person);
    person.sessions.clear();
    if (code !== closeCodes.removed) return;
    attendNoMore(person, this.#services);
    this.#media.removed(person);
  }

  #callStarted(person: Person, room: LocalRoom): void {
    if (person.admitted.claims.kind === 'guest') this.#lookAgain(person);
    attend(person, room, this.#services);
    const failed = (err: unknown) =>
      this.#services.log.error({ err }, 'a panel could not be greeted');
    this.greetings.greetInTurn(person).catch(failed);
  }

  #remove(person: Person, left?: Channel): void {
    const { id } = person.participant;
    const room = this.#rooms.of(person);
    if (room?.people.get(id) !== person) return;
    for (const channel of [...person.absences.keys()]) this.#absences.over(person, channel);
    room.people.delete(id);
    this.#rooms.release(room);
    this.roster.remove(person, left);
  }
}
