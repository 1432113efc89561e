import '#web/platform/player-texts.ts';
import type { CallId } from '#domain/ids.ts';
import { transcriptFormats } from '#domain/transcripts/contract.ts';
import { t } from '#web/platform/texts.ts';
import { DownloadMenu } from '#web/ui/download-menu.tsx';

/** Links to the transcript as a file. */
export function ExportMenu({ callId }: { callId: CallId }) {
  const links = transcriptFormats.map((format) => ({
    title: t(`transcript.export.${format}`),
    href: `/api/calls/${callId}/transcript/export?format=${format}`,
  }));
  return <DownloadMenu label={t('transcript.export.title')} links={links} />;
}
