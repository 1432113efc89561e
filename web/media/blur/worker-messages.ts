/** Where the frames come from, and where they go to. */
export type BlurOrder = {
  frames: ReadableStream<VideoFrame>;
  drawn: WritableStream<VideoFrame>;
};

export type BlurNews = { type: 'begun' } | { type: 'slow' } | { type: 'failed'; reason: string };
