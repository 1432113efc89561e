import type { Contract, OutputOf } from '#domain/contract.ts';
import { ApiError, failureOf, type InputOf, segmentsOf } from '#web/platform/api.ts';
import { t } from '#web/platform/texts.ts';

/**
 * Uploads one file to an endpoint that accepts one. Uses XMLHttpRequest, since `fetch` does not
 * report progress. Throws ApiError.
 * @param onProgress receives the share that was sent, from 0 to 1
 */
export function sendFile<const C extends Contract & { file: object }>(
  contract: C,
  input: InputOf<C> & { file: File },
  onProgress: (share: number) => void,
): Promise<OutputOf<C>> {
  const form = new FormData();
  form.set('file', input.file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(contract.method, segmentsOf(contract, input).join('/'));
    request.responseType = 'text';
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onerror = () => reject(new ApiError(t('common.unreachable'), 0));
    request.onload = () => {
      const { status, statusText, responseText } = request;
      const answer = new Response(responseText, { status, statusText });
      // The server serializes by the contract, as in api.ts.
      if (answer.ok) resolve(answer.json());
      else failureOf(answer).then(reject, reject);
    };
    request.send(form);
  });
}
