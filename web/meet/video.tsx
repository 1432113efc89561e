import { useLayoutEffect, useRef, useState } from 'react';

type VideoProps = {
  stream: MediaStream | null;
  mirrored?: boolean;
  label?: string;
  onFirstFrame?: () => void;
};

/** A picture without sound, which no browser keeps from playing. Unseen until its first frame. */
export function Video({ stream, mirrored = false, label, onFirstFrame }: VideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  const [shown, setShown] = useState<MediaStream | null>(null);

  useLayoutEffect(() => {
    const video = element.current;
    if (video === null) return;
    video.srcObject = stream;
    const seen = () => {
      setShown(stream);
      onFirstFrame?.();
    };
    if (!('requestVideoFrameCallback' in video)) return;
    const request = video.requestVideoFrameCallback(seen);
    return () => video.cancelVideoFrameCallback(request);
  }, [stream, onFirstFrame]);

  return (
    <video
      ref={element}
      className="picture"
      data-mirrored={mirrored || undefined}
      data-shown={(stream !== null && shown === stream) || undefined}
      aria-label={label}
      onPlaying={() => setShown(stream)}
      autoPlay
      playsInline
      muted
    />
  );
}
