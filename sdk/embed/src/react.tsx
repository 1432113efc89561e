import {
  type CSSProperties,
  createElement,
  type ReactElement,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react';
import { defineRapportRoom, type RapportRoom as RapportRoomElement } from './rapport-room.ts';
import type { RapportParticipant, RapportRoomEvents } from './room-events.ts';

export type { RapportParticipant } from './room-events.ts';

/** Commands to the call. */
export type RapportRoomHandle = Pick<RapportRoomElement, 'mute' | 'unmute' | 'leave'>;

type Entrance = { room: string; token: string; link?: never } | { link: string };
export type RapportRoomProps = Entrance & {
  /** Rapport’s address, such as https://calls.example.com. */
  server: string;
  ref?: Ref<RapportRoomHandle>;
  /** The accessible name of the frame. */
  label?: string;
  className?: string;
  style?: CSSProperties;
  onWaiting?: () => void;
  onJoined?: (joined: { participants: RapportParticipant[] }) => void;
  onLeft?: (left: { reason: string }) => void;
  onParticipantJoined?: (participant: RapportParticipant) => void;
  onParticipantLeft?: (participant: RapportParticipant) => void;
  onMicrophone?: (microphone: { on: boolean }) => void;
  onError?: (error: { code: string; message: string }) => void;
};

defineRapportRoom();

/** A call in a frame that fills this component’s container. */
export function RapportRoom(props: RapportRoomProps): ReactElement {
  const { server, ref, label, className, style } = props;
  const element = useRef<RapportRoomElement>(null);
  const newest = useRef(props);
  useEffect(() => {
    newest.current = props;
  });
  useImperativeHandle(
    ref,
    () => ({
      mute: () => element.current?.mute(),
      unmute: () => element.current?.unmute(),
      leave: () => element.current?.leave(),
    }),
    [],
  );
  useEffect(() => {
    const room = element.current;
    if (!room) return undefined;
    const end = new AbortController();
    const hear = <Name extends keyof RapportRoomEvents>(
      name: Name,
      tell: (detail: RapportRoomEvents[Name]) => void,
    ) =>
      room.addEventListener(
        name,
        (event) => tell((event as CustomEvent<RapportRoomEvents[Name]>).detail),
        { signal: end.signal },
      );
    hear('waiting', () => newest.current.onWaiting?.());
    hear('joined', (detail) => newest.current.onJoined?.(detail));
    hear('left', (detail) => newest.current.onLeft?.(detail));
    hear('participantjoined', (detail) => newest.current.onParticipantJoined?.(detail));
    hear('participantleft', (detail) => newest.current.onParticipantLeft?.(detail));
    hear('microphone', (detail) => newest.current.onMicrophone?.(detail));
    hear('error', (detail) => newest.current.onError?.(detail));
    return () => end.abort();
  }, []);
  const entrance =
    'room' in props ? { room: props.room, token: props.token } : { link: props.link };
  return createElement('rapport-room', {
    ref: element,
    server,
    label,
    class: className,
    style,
    ...entrance,
  });
}
