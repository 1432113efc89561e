/** Returns the rooms where guests wait, those with a call, and the others, each in their order. */
export function byUrgency<Room extends { id: string }>(
  rooms: readonly Room[],
  now: readonly { roomId: string; waiting: number }[],
): Room[] {
  const urgency = ({ id }: Room) => {
    const busy = now.find(({ roomId }) => roomId === id);
    return busy ? busy.waiting || 0.5 : 0;
  };
  return rooms.toSorted((one, other) => urgency(other) - urgency(one));
}
