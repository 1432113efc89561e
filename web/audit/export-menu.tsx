import { exportFormats } from '#domain/audit/contract.ts';
import { t } from '#web/platform/texts.ts';
import { DownloadMenu } from '#web/ui/download-menu.tsx';

/** Links to the log as a file. */
export function ExportMenu({ query }: { query: Record<string, string> }) {
  const links = exportFormats.map((format) => ({
    title: t(`audit.export.${format}`),
    href: `/api/audit-events/export?${new URLSearchParams({ format, ...query })}`,
  }));
  return (
    <DownloadMenu label={t('audit.export.title')} links={links} hint={t('audit.export.hint')} />
  );
}
