import type { Segmenter } from './segmenter.ts';

/** The background is blurred at this height, which is cheap and looks the same. */
const smallHeight = 144;
const blurPixels = 5;
/** Softens the edge of the person, in pixels of the mask. */
const edgePixels = 1;

type Canvas = { canvas: OffscreenCanvas; context: OffscreenCanvasRenderingContext2D };

function makeCanvas(settings?: CanvasRenderingContext2DSettings): Canvas {
  const canvas = new OffscreenCanvas(1, 1);
  const context = canvas.getContext('2d', settings);
  if (context === null) throw new Error('no canvas to draw on');
  return { canvas, context };
}

/** Redraws a frame: the person unchanged, over a small blurred copy of the whole frame. */
export class Composition {
  readonly #segmenter: Segmenter;
  /** The model's input. It is read back for each frame. */
  readonly #seen = makeCanvas({ willReadFrequently: true });
  readonly #mask = makeCanvas();
  readonly #background = makeCanvas({ alpha: false });
  readonly #whole = makeCanvas();

  constructor(segmenter: Segmenter) {
    this.#segmenter = segmenter;
    for (const { canvas } of [this.#seen, this.#mask]) {
      canvas.width = segmenter.width;
      canvas.height = segmenter.height;
    }
  }

  draw(frame: VideoFrame): VideoFrame {
    this.#fit(frame.displayWidth, frame.displayHeight);
    this.#findPerson(frame);
    this.#blurAll(frame);
    const { canvas, context } = this.#whole;
    const { width, height } = canvas;
    context.globalCompositeOperation = 'copy';
    context.filter = `blur(${(edgePixels * width) / this.#mask.canvas.width}px)`;
    context.drawImage(this.#mask.canvas, 0, 0, width, height);
    context.filter = 'none';
    context.globalCompositeOperation = 'source-in';
    context.drawImage(frame, 0, 0, width, height);
    context.globalCompositeOperation = 'destination-over';
    context.drawImage(this.#background.canvas, 0, 0, width, height);
    return new VideoFrame(canvas, { timestamp: frame.timestamp, alpha: 'discard' });
  }

  #fit(width: number, height: number): void {
    const whole = this.#whole.canvas;
    if (whole.width === width && whole.height === height) return;
    whole.width = width;
    whole.height = height;
    const small = this.#background.canvas;
    small.height = Math.min(smallHeight, height);
    small.width = Math.max(1, Math.round((width * small.height) / height));
  }

  #findPerson(frame: VideoFrame): void {
    const { canvas, context } = this.#seen;
    context.drawImage(frame, 0, 0, canvas.width, canvas.height);
    const picture = context.getImageData(0, 0, canvas.width, canvas.height);
    this.#segmenter.cutOut(picture);
    this.#mask.context.putImageData(picture, 0, 0);
  }

  #blurAll(frame: VideoFrame): void {
    const { canvas, context } = this.#background;
    context.filter = `blur(${blurPixels}px)`;
    // Draws beyond the edges, where the blur fades out.
    const over = blurPixels * 2;
    context.drawImage(frame, -over, -over, canvas.width + 2 * over, canvas.height + 2 * over);
  }
}
