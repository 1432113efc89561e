export interface ToRecognizer {
  id: number;
  /** 16 kHz. */
  samples: Float32Array;
}

export type FromRecognizer =
  | { kind: 'ready' }
  | { kind: 'recognized'; id: number; text: string; language: string | null };
