/** A process that owns documents and executes the test's requests, so that the test can kill or stop it. */
import { isRight } from 'fp-ts/Either';
import type { Submission } from '../../../../commands/editor/document-owner/document-handle';
import { documentKeyOf, openOwnerOnStores } from './fixture';

export interface OwnerRequest {
  readonly id: number;
  readonly document: string;
  /** Left out: it is only opened. */
  readonly submission?: Submission;
}

export interface OwnerReply {
  readonly id: number;
  readonly open: boolean;
  readonly epoch?: number;
  readonly elsewhere?: string;
  /** Of what it knows to be in the log. */
  readonly settled?: readonly string[];
  readonly ended?: unknown;
}

const [storeUrl = '', redisUrl = '', address = ''] = process.argv.slice(2);
const { documents } = openOwnerOnStores({ storeUrl, redisUrl, address });

const answer = async ({ id, document, submission }: OwnerRequest): Promise<OwnerReply> => {
  const open = documents.find(documentKeyOf(document));
  const opened =
    open === undefined ? await documents.open(documentKeyOf(document)) : { _tag: 'Right' as const, right: open };
  if (!isRight(opened)) {
    const { left } = opened;
    return { id, open: false, ...(left.kind === 'elsewhere' ? { elsewhere: left.address } : {}) };
  }
  const { right: owned } = opened;
  if (submission === undefined) return { id, open: true, epoch: owned.epoch };
  const done = await owned.submit(submission);
  const settled = isRight(done) ? done.right.results.map(({ opId }) => opId) : [];
  return { id, open: true, epoch: owned.epoch, settled, ended: owned.ended.reason };
};

process.on('message', (request: OwnerRequest) => {
  void answer(request).then((answered) => process.send?.(answered));
});
process.send?.({ id: 0, open: false });
