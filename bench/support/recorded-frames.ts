import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';

/** Returns the times of the pictures in what a recorder has made, in seconds. */
export async function pictureTimes(bytes: Buffer): Promise<number[]> {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  if (!track) return [];
  const times: number[] = [];
  for await (const { timestamp } of new EncodedPacketSink(track).packets()) times.push(timestamp);
  return times;
}
