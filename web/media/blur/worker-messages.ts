/** The streams that the worker reads frames from and writes frames to. */
export type BlurOrder = {
  frames: ReadableStream<VideoFrame>;
  drawn: WritableStream<VideoFrame>;
};

export type BlurNews = { type: 'begun' } | { type: 'slow' } | { type: 'failed'; reason: string };
