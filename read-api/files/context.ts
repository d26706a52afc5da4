/** Files on the query side. */
import { isLeft } from 'fp-ts/Either';
import { answerModelVariables, openAnswerModel } from '../../infra/adapters/answer-models/open-answer-model';
import { embedderVariables, shareEmbedder } from '../../infra/adapters/embeddings/open-embedder';
import { coalesceReads } from '../../infra/adapters/eventstore/read/coalesced-reads';
import { createAggregateCache } from '../../infra/server/aggregates/aggregate-cache';
import { readerRules } from '../../infra/server/files/file-access';
import { openReadableBlobs, readableBlobVariables } from '../composition/readable-blobs';
import { openProcessStatus, storeVariables } from '../composition/view-readers';
import { queryContext } from '../kernel/context';
import { createTenantSlots } from './answer/model/tenant-slots';
import { openReadableLabels } from './readable-labels';
import { fileRoutes } from './routes';
import { auditTo } from './search/audit';

/** Left out, files are listed and searched, and not opened. */
const config = {
  ...storeVariables,
  ...readableBlobVariables,
  ...embedderVariables,
  ...answerModelVariables,
};

/** A tenant's access stream is long, and read with every request. */
const cached = { events: 2_000_000, longest: 1_000_000 };

export const context = queryContext({
  config,
  open: (values, { reading, indexes, store, log }) => {
    const blobs = openReadableBlobs(values);
    const embedder = shareEmbedder(values, log);
    const model = openAnswerModel(values);
    if (isLeft(model)) log.warn({ reason: model.left }, 'no model writes answers');
    const opened = isLeft(model) ? undefined : model.right;
    const slots = createTenantSlots(values.ANSWERS_CALLS_PER_TENANT);
    const source = { store: coalesceReads(store), cache: createAggregateCache(cached), rules: readerRules };
    const processes = openProcessStatus(values);
    const shared = {
      source,
      labelsOf: openReadableLabels(),
      jobs: processes.lookups,
      embedder: embedder.current,
      audit: auditTo(log),
      answerModel: opened === undefined ? undefined : { model: opened, slots },
    };
    const close = () => Promise.all([blobs.close(), embedder.close(), processes.close(), opened?.close()]);
    return { deps: { ...reading, indexes, blobs, ...shared }, close };
  },
  routes: fileRoutes,
});
