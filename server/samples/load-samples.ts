import type { User } from '#domain/auth/contract.ts';
import { playbookId, roomId, sampleSetId } from '#domain/ids.ts';
import type { Language } from '#domain/languages.ts';
import { englishTemplates } from '#domain/playbooks/templates/english.ts';
import { germanTemplates } from '#domain/playbooks/templates/german.ts';
import type { PlaybookTemplates } from '#domain/playbooks/templates/template.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import { isUniqueViolation } from '#server/platform/database-errors.ts';
import { newId } from '#server/platform/ids.ts';
import { insertItems } from '#server/playbooks/store.ts';
import { playbooks } from '#server/playbooks/tables.ts';
import { rooms } from '#server/rooms/tables.ts';
import type { SampleRoomContent } from './content.ts';
import { englishSamples } from './english.ts';
import { germanSamples } from './german.ts';
import { type Host, insertPastCall } from './insert-past-call.ts';
import { type SampleMark, sampleSets } from './tables.ts';

const contents: Record<Language, [readonly SampleRoomContent[], PlaybookTemplates]> = {
  en: [englishSamples, englishTemplates],
  de: [germanSamples, germanTemplates],
};

/**
 * Stores the sample rooms, playbooks, and calls, marked as such. Sends no mail and tells no integration.
 * Repeating it changes nothing.
 * @returns when they were loaded, and whether that is now
 */
export async function loadSamples(
  tenant: Tenant,
  user: User,
  language: Language,
  now: Date,
): Promise<{ loadedAt: Date; isNew: boolean }> {
  try {
    await tenant.transaction(async (tx) => {
      const id = newId(sampleSetId);
      await tx.db
        .insert(sampleSets)
        .values({ id, orgId: tenant.orgId, loadedAt: now, loadedBy: user.id });
      const mark = { orgId: tenant.orgId, sampleSetId: id, createdBy: user.id, createdAt: now };
      const [sampleRooms, templates] = contents[language];
      for (const content of sampleRooms) await insertRoom(tx, mark, content, templates, user);
      await recordEvent(tx, {
        action: 'SAMPLES_CREATED',
        entity: 'organization',
        entityId: tenant.orgId,
      });
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'sample_sets_one_of_organization')) throw error;
    const [found] = await tenant.connection(({ db }) => db.select().from(sampleSets));
    // They were removed in between, so load them again.
    if (!found) return loadSamples(tenant, user, language, now);
    return { loadedAt: found.loadedAt, isNew: false };
  }
  return { loadedAt: now, isNew: true };
}

async function insertRoom(
  tx: TenantConnection,
  mark: SampleMark,
  { topic, playbook, calls }: SampleRoomContent,
  templates: PlaybookTemplates,
  host: Host,
): Promise<void> {
  const { title, description, steps } = templates[playbook];
  const used = newId(playbookId);
  await tx.db
    .insert(playbooks)
    .values({ ...mark, id: used, title, description, updatedAt: mark.createdAt });
  await insertItems(
    tx,
    used,
    steps.map((text) => ({ text })),
  );
  const room = { id: newId(roomId), playbookId: used };
  await tx.db.insert(rooms).values({ ...mark, ...room, topic });
  for (const { daysAgo, hour, ...content } of calls) {
    const startedAt = new Date(mark.createdAt.getTime() - daysAgo * 86_400_000);
    startedAt.setUTCHours(hour, 0, 0, 0);
    await insertPastCall(tx, { room, host, startedAt }, content);
  }
}
