/** Videos on the query side. */
import { randomUUID } from 'node:crypto';
import { coalesceReads } from '../../infra/adapters/eventstore/read/coalesced-reads';
import { createAggregateCache } from '../../infra/server/aggregates/aggregate-cache';
import { deliveryKeyVariables, readDeliveryKeys } from '../../infra/server/video/delivery-keys';
import { edgeVariables, readEdges } from '../../infra/server/video/edges';
import { positionReader } from '../../infra/server/video/resume-position';
import { uploadReaderRules } from '../../infra/server/video/uploads';
import { videoReaderRules } from '../../infra/server/video/video-access';
import { openReadableBlobs, readableBlobVariables } from '../composition/readable-blobs';
import { openPositions, openProcessStatus, storeVariables } from '../composition/view-readers';
import { queryContext } from '../kernel/context';
import { videoRoutes } from './routes';

/** Left out, videos are listed; without object storage the status of an upload is not answered, without keys nothing is played. */
const config = { ...storeVariables, ...readableBlobVariables, ...deliveryKeyVariables, ...edgeVariables };

/** A tenant's access stream is long, and read with every playback. */
const cached = { events: 2_000_000, longest: 1_000_000 };

export const context = queryContext({
  config,
  open: (values, { reading, store, clock }) => {
    const blobs = openReadableBlobs(values);
    const rules = { rules: uploadReaderRules, videoRules: videoReaderRules };
    const source = { store: coalesceReads(store), cache: createAggregateCache(cached), ...rules };
    const positions = openPositions(values);
    const processes = openProcessStatus(values);
    const playing = {
      clock,
      random: { uuid: randomUUID },
      deliveryKeys: readDeliveryKeys(values),
      edges: readEdges(values),
      readPosition: positionReader(positions),
      jobs: processes.lookups,
    };
    const close = () => Promise.all([blobs.close(), processes.close(), positions.close()]);
    return { deps: { ...reading, ...playing, source, blobs }, close };
  },
  routes: videoRoutes,
});
