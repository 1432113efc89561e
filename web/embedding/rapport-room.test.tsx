// @vitest-environment happy-dom
import { render, waitFor } from '@testing-library/react';
import { createRef, StrictMode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { RapportRoom, type RapportRoomHandle } from '../../sdk/embed/src/react.tsx';

const server = 'https://calls.test';
const frames = () =>
  [...document.querySelectorAll('rapport-room')].flatMap((room) => [
    ...(room.shadowRoot?.querySelectorAll('iframe') ?? []),
  ]);
const frameOf = async () => {
  await waitFor(() => expect(frames().length).toBe(1));
  const [frame] = frames();
  if (!frame) throw new Error('no frame');
  return frame;
};
afterEach(() => document.body.replaceChildren());

/** Answers the element as a meeting page does. */
function say(data: unknown, from: { origin?: string; source?: unknown }) {
  const event = new MessageEvent('message', { data, origin: from.origin ?? server });
  Object.defineProperty(event, 'source', { value: from.source });
  window.dispatchEvent(event);
}

test('StrictMode makes one frame, with the room and token, and permissions for its devices', async () => {
  render(
    <StrictMode>
      <RapportRoom server={server} room="r1" token="t1" label="Support call" />
    </StrictMode>,
  );
  const frame = await frameOf();
  expect(frame.src).toBe(`${server}/embed/r1/t1`);
  expect(frame.title).toBe('Support call');
  for (const feature of ['camera', 'microphone', 'display-capture', 'fullscreen'])
    expect(frame.allow).toContain(feature);
});

test('a new token for another room makes one new frame, and an address of another kind none', async () => {
  const { rerender } = render(<RapportRoom server={server} room="r1" token="t1" />);
  const first = await frameOf();
  rerender(<RapportRoom server={server} room="r2" token="t2" />);
  await waitFor(() => expect(frames().map(({ src }) => src)).toEqual([`${server}/embed/r2/t2`]));
  expect(first.isConnected).toBe(false);
  const errors: string[] = [];
  const onError = ({ code }: { code: string }) => void errors.push(code);
  rerender(<RapportRoom server="javascript:alert(1)" room="r3" token="t3" onError={onError} />);
  await waitFor(() => expect(errors).toEqual(['bad_address']));
  expect(frames()).toEqual([]);
});

test('only the frame’s own window and origin are heard, and commands reach it through its port', async () => {
  const handle = createRef<RapportRoomHandle>();
  const heard: unknown[] = [];
  const joined = (detail: unknown) => void heard.push(detail);
  const place = render(
    <RapportRoom
      ref={handle}
      server={server}
      room="r1"
      token="t1"
      onJoined={joined}
      onLeft={joined}
    />,
  );
  const frame = await frameOf();
  const ports: MessagePort[] = [];
  const inside = {
    postMessage: (_data: unknown, origin: string, [port]: MessagePort[]) => {
      expect(origin).toBe(server);
      if (port) ports.push(port);
    },
  };
  Object.defineProperty(frame, 'contentWindow', { value: inside });
  const ready = { rapport: 'embed', type: 'ready', version: 1 };
  say(ready, { source: {} });
  say(ready, { source: inside, origin: 'https://evil.test' });
  say({ type: 'ready' }, { source: inside });
  expect(ports.length).toBe(0);
  handle.current?.mute();
  say(ready, { source: inside });
  expect(ports.length).toBe(1);
  const [port] = ports;
  const commands: unknown[] = [];
  if (port) port.onmessage = ({ data }) => void commands.push(data);
  handle.current?.leave();
  await waitFor(() => expect(commands).toEqual([{ type: 'mute' }, { type: 'leave' }]));

  const participants = [{ id: 'a', name: 'Ada' }];
  for (const data of [{ type: 'joined' }, { type: 'joined', participants: [{ id: 1 }] }, 'joined'])
    port?.postMessage(data);
  port?.postMessage({ type: 'joined', participants });
  await waitFor(() => expect(heard).toEqual([{ participants }]));
  place.unmount();
});
