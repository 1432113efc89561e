import '#web/platform/player-texts.ts';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import type { OutputOf } from '#domain/contract.ts';
import type { CallId } from '#domain/ids.ts';
import {
  correctLine,
  type getTranscript,
  type TranscriptLine,
} from '#domain/transcripts/contract.ts';
import { request } from '#web/platform/api.ts';
import { keyOf } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

type Page = OutputOf<typeof getTranscript>;

/** The player's pages of a transcript (web/player/queries.ts). */
const keyOfTranscript = (id: CallId) => keyOf(`/api/calls/${id}/transcript`);

export function useCorrectLine(id: CallId, line: TranscriptLine) {
  const queries = useQueryClient();
  return useApiMutation(
    (text: string) => request(correctLine, { params: { id: line.id }, body: { text } }),
    {
      failed: t('transcript.notSaved'),
      done: (changed: TranscriptLine) =>
        queries.setQueryData(keyOfTranscript(id), (data: InfiniteData<Page> | undefined) =>
          data ? { ...data, pages: data.pages.map((page) => withLine(page, changed)) } : data,
        ),
    },
  );
}

const withLine = (page: Page, changed: TranscriptLine): Page => ({
  ...page,
  lines: page.lines.map((line) => (line.id === changed.id ? changed : line)),
});
