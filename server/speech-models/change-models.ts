import { DomainError } from '#domain/errors.ts';
import type { OfferedSpeechModel } from '#domain/speech-models/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import type { Tenant, TenantConnection } from '#server/platform/access.ts';
import type { Services } from '#server/services.ts';
import { deleteRemoved } from './fetch-due.ts';
import { readModels } from './read-models.ts';
import { isUsedElsewhere, markRemoved, wantModel } from './store.ts';

type Offer = Pick<Services, 'config' | 'database' | 'log' | 'speech'>;
type Change = (tx: TenantConnection, model: OfferedSpeechModel) => Promise<void>;

/**
 * Changes a model of the installation for an organization's admin, and returns all models.
 * @throws DomainError 404 for a model that the operator does not offer
 */
export async function changeModel(
  tenant: Tenant,
  offer: Offer,
  name: string,
  change: Change,
): Promise<OfferedSpeechModel[]> {
  await tenant.transaction(async (tx) => {
    const model = (await readModels(tx, offer)).find((one) => one.name === name);
    if (!model) throw new DomainError('not_found', 'not_found', 'We couldn’t find this model.');
    await change(tx, model);
  });
  await deleteRemoved(offer);
  return tenant.connection((at) => readModels(at, offer));
}

/**
 * Has the servers fetch it. One that is there, or on its way, stays as it is.
 * @throws DomainError 429 `speech_model_limit`
 */
export async function fetchModelFor(tx: TenantConnection, model: OfferedSpeechModel) {
  const { kind } = model.state;
  if (kind !== 'absent' && kind !== 'failed') return;
  const outcome = await wantModel(tx, model.name);
  if (outcome === 'too often') throw askedTooOften();
  if (outcome === 'wanted') await record(tx, 'SPEECH_MODEL_FETCHED', model);
}

/**
 * Deletes it on all servers.
 * @throws DomainError 409 `speech_model_busy` while it is fetched, `speech_model_in_use` while another organization
 *   transcribes with it
 */
export async function removeModelFor(tx: TenantConnection, model: OfferedSpeechModel) {
  const { kind } = model.state;
  if (kind === 'absent') return;
  if (kind !== 'ready' && kind !== 'failed') throw isBusy();
  if (model.isUsed && (await isUsedElsewhere(tx))) throw isInUse();
  await markRemoved(tx, model.name);
  await record(tx, 'SPEECH_MODEL_REMOVED', model);
}

const record = (
  tx: TenantConnection,
  action: 'SPEECH_MODEL_FETCHED' | 'SPEECH_MODEL_REMOVED',
  { name }: OfferedSpeechModel,
) =>
  recordEvent(tx, {
    action,
    entity: 'organization',
    entityId: tx.tenant.orgId,
    metadata: { model: name },
  });

const askedTooOften = () =>
  new DomainError(
    'too_many',
    'speech_model_limit',
    'This model was fetched too often today. Try again tomorrow.',
  );
const isBusy = () =>
  new DomainError(
    'conflict',
    'speech_model_busy',
    'This model is being fetched. You can remove it afterwards.',
  );
const isInUse = () =>
  new DomainError(
    'conflict',
    'speech_model_in_use',
    'Another organization on this server uses this model. Your operator can remove it.',
  );
