/** Videos on the write side: uploads of their sources, access to them, licences, and heartbeats of their players. */
import { isLeft } from 'fp-ts/Either';
import { blobVariables, openBlobs } from '../../infra/adapters/blobs/open-blob-store';
import { openRedis } from '../../infra/adapters/redis/connection';
import { createHeartbeatSink } from '../../infra/adapters/redis/video/heartbeat-sink';
import { optional, variables } from '../../infra/server/runtime/config';
import { deliveryKeyVariables, readDeliveryKeys } from '../../infra/server/video/delivery-keys';
import { commandContext } from '../kernel/context';
import { videoRoutes } from './routes';
import { createVideoLookup } from './views/playback-caller';

export const context = commandContext({
  config: {
    ...blobVariables,
    ...deliveryKeyVariables,
    PUBLIC_URL: optional(variables.PUBLIC_URL),
    /** Left out, no heartbeats are received. */
    REDIS_URL: optional(variables.REDIS_URL),
  },
  open: (values, adapters) => {
    const opened = openBlobs(values, `${values.PUBLIC_URL ?? ''}/blobs`);
    if (isLeft(opened)) return { deps: 'none' as const };
    const { REDIS_URL: redisUrl } = values;
    const redis = redisUrl === undefined ? undefined : openRedis(redisUrl);
    const receiving = {
      heartbeats: redis === undefined ? undefined : createHeartbeatSink(redis),
      deliveryKeys: readDeliveryKeys(values),
      findVideo: createVideoLookup(adapters),
    };
    const close = async (): Promise<void> => {
      redis?.disconnect();
      await opened.right.close();
    };
    return { deps: { ...adapters, ...receiving, blobs: opened.right }, close };
  },
  routes: videoRoutes,
});
