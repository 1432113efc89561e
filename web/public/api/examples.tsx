import { usePage } from '#web/public/page-context.ts';
import changeUnlessEditedCurl from '../../../sdk/client/examples/change-unless-edited.sh?raw';
import changeUnlessEdited from '../../../sdk/client/examples/change-unless-edited.ts?raw';
import createRoomCurl from '../../../sdk/client/examples/create-room.sh?raw';
import createRoom from '../../../sdk/client/examples/create-room.ts?raw';
import handleConflictCurl from '../../../sdk/client/examples/handle-conflict.sh?raw';
import handleConflict from '../../../sdk/client/examples/handle-conflict.ts?raw';
import handleRateLimitCurl from '../../../sdk/client/examples/handle-rate-limit.sh?raw';
import handleRateLimit from '../../../sdk/client/examples/handle-rate-limit.ts?raw';
import listActionItemsCurl from '../../../sdk/client/examples/list-action-items.sh?raw';
import listActionItems from '../../../sdk/client/examples/list-action-items.ts?raw';
import listRoomsCurl from '../../../sdk/client/examples/list-rooms.sh?raw';
import listRooms from '../../../sdk/client/examples/list-rooms.ts?raw';
import mintEmbedTokenCurl from '../../../sdk/client/examples/mint-embed-token.sh?raw';
import mintEmbedToken from '../../../sdk/client/examples/mint-embed-token.ts?raw';
import paginateCurl from '../../../sdk/client/examples/paginate.sh?raw';
import paginate from '../../../sdk/client/examples/paginate.ts?raw';
import readCallCurl from '../../../sdk/client/examples/read-call.sh?raw';
import readCall from '../../../sdk/client/examples/read-call.ts?raw';
import subscribeWebhookCurl from '../../../sdk/client/examples/subscribe-webhook.sh?raw';
import subscribeWebhook from '../../../sdk/client/examples/subscribe-webhook.ts?raw';
import { CodeBlock } from './marked.tsx';

/** The files that server/api/examples.test.ts runs. */
const examples = {
  listRooms: [listRoomsCurl, listRooms],
  createRoom: [createRoomCurl, createRoom],
  readCall: [readCallCurl, readCall],
  listActionItems: [listActionItemsCurl, listActionItems],
  subscribeWebhook: [subscribeWebhookCurl, subscribeWebhook],
  mintEmbedToken: [mintEmbedTokenCurl, mintEmbedToken],
  paginate: [paginateCurl, paginate],
  handleRateLimit: [handleRateLimitCurl, handleRateLimit],
  changeUnlessEdited: [changeUnlessEditedCurl, changeUnlessEdited],
  handleConflict: [handleConflictCurl, handleConflict],
} as const;

/** What programs do most, each by curl and with the client. */
export function Examples() {
  const { texts } = usePage();
  return Object.entries(examples).map(([name, [byCurl, byClient]]) => {
    const title = texts.api.examples[name as keyof typeof examples]; // a key of the table above
    return (
      <div key={name} className="mt-10">
        <h3 className="text-xl font-semibold tracking-tight">{title}</h3>
        <div className="mt-4 grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
          <CodeBlock label={`${title}, curl`}>{byCurl}</CodeBlock>
          <CodeBlock label={`${title}, TypeScript`}>{byClient}</CodeBlock>
        </div>
      </div>
    );
  });
}
