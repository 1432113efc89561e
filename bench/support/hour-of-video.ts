import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ALL_FORMATS,
  BufferSource,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  Input,
  type InputTrack,
  MkvOutputFormat,
  Output,
} from 'mediabunny';

const clip = join(import.meta.dirname, '../../server/testing/recorded/camera.webm');
/** Bytes of each picture, by filler that decoders skip: together 0.4 Mbit/s. */
const pictureBytes = 5_000;

/** Writes a recording of `seconds`, as a recorder does, by repeating six seconds of a real one. */
export async function writeVideo(path: string, seconds: number): Promise<void> {
  const input = new Input({ source: new BufferSource(readFileSync(clip)), formats: ALL_FORMATS });
  const videoTrack = await input.getPrimaryVideoTrack();
  const audioTrack = await input.getPrimaryAudioTrack();
  if (!videoTrack || !audioTrack) throw new Error('the clip has no picture or no sound');
  const [pictures, sounds] = [await packetsOf(videoTrack), await packetsOf(audioTrack)];
  const format = new MkvOutputFormat({ appendOnly: true });
  const output = new Output({ format, target: new FilePathTarget(path) });
  const video = new EncodedVideoPacketSource('avc');
  const audio = new EncodedAudioPacketSource('opus');
  output.addVideoTrack(video);
  output.addAudioTrack(audio);
  await output.start();
  const ofVideo = { decoderConfig: (await videoTrack.getDecoderConfig()) ?? undefined };
  const ofAudio = { decoderConfig: (await audioTrack.getDecoderConfig()) ?? undefined };
  const length = 6;
  for (let from = 0; from < seconds; from += length) {
    const shifted = (packet: EncodedPacket) => packet.clone({ timestamp: from + packet.timestamp });
    const isInside = ({ timestamp }: EncodedPacket) => timestamp < length;
    await Promise.all([
      addAll(pictures.filter(isInside), (packet) =>
        video.add(shifted(packet).clone({ data: filled(packet.data) }), ofVideo as never),
      ),
      addAll(sounds.filter(isInside), (packet) => audio.add(shifted(packet), ofAudio as never)),
    ]);
  }
  await output.finalize();
}

async function packetsOf(track: InputTrack): Promise<EncodedPacket[]> {
  const packets: EncodedPacket[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet);
  return packets;
}

async function addAll(packets: EncodedPacket[], add: (packet: EncodedPacket) => Promise<void>) {
  for (const packet of packets) await add(packet);
}

/** Appends a NAL unit of filler data (H.264, 7.3.2.7), with its length in four bytes. */
function filled(picture: Uint8Array): Uint8Array {
  const missing = pictureBytes - picture.length - 4;
  if (missing < 3) return picture;
  const filler = Buffer.alloc(missing + 4, 0xff);
  filler.writeUInt32BE(missing, 0);
  filler[4] = 12;
  filler[filler.length - 1] = 0x80;
  return Buffer.concat([picture, filler]);
}
