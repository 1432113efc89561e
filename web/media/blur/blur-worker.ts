import { Composition } from './composition.ts';
import { beginPace, isTooSlow, nextPace } from './pace.ts';
import { Segmenter } from './segmenter.ts';
import type { BlurNews, BlurOrder } from './worker-messages.ts';

// A worker, so that drawing does not block the page; and its streams keep flowing in a background
// tab, where the page's timers and animation frames are throttled.
addEventListener('message', ({ data }: MessageEvent<BlurOrder>) => {
  blur(data).catch((error: unknown) => tell({ type: 'failed', reason: String(error) }));
});

const tell = (news: BlurNews) => postMessage(news);

async function blur({ frames, drawn }: BlurOrder): Promise<void> {
  const composition = new Composition(await Segmenter.load());
  const [reader, writer] = [frames.getReader(), drawn.getWriter()];
  let pace = beginPace(performance.now());
  let told = false;
  for (;;) {
    const { value: frame } = await reader.read();
    if (frame === undefined) break;
    const startedAt = performance.now();
    const picture = composition.draw(frame);
    frame.close();
    await writer.write(picture);
    if (!told) tell({ type: 'begun' });
    told = true;
    pace = nextPace(pace, startedAt, performance.now());
    if (isTooSlow(pace)) {
      tell({ type: 'slow' });
      pace = beginPace(performance.now());
    }
  }
  await writer.close();
}
