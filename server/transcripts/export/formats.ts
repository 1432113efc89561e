import type { TranscriptFormat, TranscriptLine } from '#domain/transcripts/contract.ts';
import { clockTime } from './times.ts';

interface TextFormat {
  type: string;
  head: (about: ExportedCall) => string;
  line: (line: TranscriptLine, index: number) => string;
  tail: string;
}

/** What a file says about its call. */
export interface ExportedCall {
  topic: string;
  startedAt: Date;
}

/** Subtitles end a line at an empty line, and take an arrow for a time. */
const onOneLine = (text: string) => text.replace(/\s+/g, ' ').replaceAll('-->', '→').trim();
const forVtt = (text: string) =>
  onOneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const inJson = ({ topic, startedAt }: ExportedCall) =>
  JSON.stringify({ topic, startedAt: startedAt.toISOString() }).slice(0, -1);

export const textFormats: Record<Exclude<TranscriptFormat, 'docx'>, TextFormat> = {
  txt: {
    type: 'text/plain; charset=utf-8',
    head: ({ topic, startedAt }) => `${onOneLine(topic)}\n${startedAt.toISOString()}\n\n`,
    line: ({ startMs, name, text }) =>
      `[${clockTime(startMs)}] ${onOneLine(name)}: ${onOneLine(text)}\n`,
    tail: '',
  },
  srt: {
    type: 'application/x-subrip; charset=utf-8',
    head: () => '',
    line: ({ startMs, endMs, name, text }, index) =>
      `${index + 1}\n${clockTime(startMs, ',')} --> ${clockTime(endMs, ',')}\n${onOneLine(name)}: ${onOneLine(text)}\n\n`,
    tail: '',
  },
  vtt: {
    type: 'text/vtt; charset=utf-8',
    head: () => 'WEBVTT\n\n',
    line: ({ startMs, endMs, name, text }) =>
      `${clockTime(startMs, '.')} --> ${clockTime(endMs, '.')}\n<v ${forVtt(name)}>${forVtt(text)}</v>\n\n`,
    tail: '',
  },
  json: {
    type: 'application/json; charset=utf-8',
    head: (about) => `${inJson(about)},"lines":[`,
    line: (line, index) => `${index > 0 ? ',' : ''}\n${JSON.stringify(line)}`,
    tail: '\n]}\n',
  },
};
