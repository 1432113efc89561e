import { useQueryClient } from '@tanstack/react-query';
import type { OrgId } from '#domain/ids.ts';
import { type Organization, removeLogo, uploadLogo } from '#domain/organizations/contract.ts';
import { logoMostBytes, logoTypes } from '#domain/organizations/logo.ts';
import { organizationQuery } from '#web/organizations/queries.ts';
import { request } from '#web/platform/api.ts';
import { sendFile } from '#web/platform/send-file.ts';
import { t } from '#web/platform/texts.ts';
import { usePicture } from '#web/platform/use-picture.ts';

export function useLogo(orgId: OrgId) {
  const queryClient = useQueryClient();
  return usePicture({
    types: logoTypes,
    mostBytes: logoMostBytes,
    texts: {
      wrongType: t('settings.logo.wrongType'),
      tooLarge: t('settings.logo.tooLarge'),
      saved: t('settings.logo.saved'),
      removed: t('settings.logo.removed'),
      failed: (error) => (error instanceof Error ? error.message : t('settings.logo.failed')),
    },
    send: (file, onProgress) => sendFile(uploadLogo, { params: { orgId }, file }, onProgress),
    remove: () => request(removeLogo, { params: { orgId } }),
    onSaved: (saved: Organization) =>
      queryClient.setQueryData(organizationQuery(orgId).queryKey, saved),
  });
}
