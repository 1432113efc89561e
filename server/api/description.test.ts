import { expect, test } from 'vitest';
import { operations } from '#domain/api/operations/all.ts';
import { allContracts } from '#server/testing/contracts.ts';

test('the description has every contract that tokens may use, by its name, and no other', async () => {
  const withScope = (await allContracts()).filter(({ scope }) => scope !== undefined);
  const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
  expect(
    Object.values(operations)
      .map(({ contract }) => keyOf(contract))
      .sort(),
  ).toEqual(withScope.map(keyOf).sort());
});

/** A renamed operation breaks every client that was generated: add names, and change none. */
test('operations keep their names', () => {
  expect(Object.keys(operations).sort()).toEqual([
    'addActionItem',
    'addChecklistItem',
    'archivePlaybook',
    'archiveRoom',
    'changeGuestAccess',
    'choosePlaybook',
    'countCalls',
    'createLink',
    'createPlaybook',
    'createRoom',
    'createWebhook',
    'deleteActionItem',
    'deleteWebhook',
    'getTranscript',
    'listActionItems',
    'listCalls',
    'listLinks',
    'listOpenActionItems',
    'listPlaybooks',
    'listRooms',
    'listUsers',
    'listWebhookDeliveries',
    'listWebhooks',
    'mintEmbedToken',
    'readActionItem',
    'readAnalytics',
    'readCall',
    'readChat',
    'readGuestAccess',
    'readGuestLink',
    'readInsights',
    'readPlaybook',
    'readPlaybookUse',
    'readRoom',
    'readWebhookDelivery',
    'renewGuestLink',
    'replayWebhookDelivery',
    'restorePlaybook',
    'restoreRoom',
    'revokeLink',
    'rotateWebhookSecret',
    'searchCalls',
    'startCall',
    'testWebhook',
    'updateActionItem',
    'updateCall',
    'updatePlaybook',
    'updateRoom',
    'updateWebhook',
  ]);
});
