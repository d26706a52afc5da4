/** Empty stores for an environment of docker-compose.yml: a secured log, a database, a Valkey, a bucket. Search is the one of all tests. */
import { join } from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import type { S3Options } from '../../../infra/adapters/blobs/s3/client';
import { hasPrerequisite } from '../runner/prerequisites';
import { certificatesIn } from './certificates';
import { compose } from './compose';
import type { ComposeStores } from './compose-environment';
import { startDedicatedValkey } from './dedicated-valkey';
import { startNodeHere } from './event-store-node';
import { rawClient, s3ForTests } from './s3-server';
import { elasticsearchForTests, freshDatabase } from './shared-servers';

/** As compose's service `bucket` makes it. */
const createBucket = async (options: S3Options): Promise<S3Options> => {
  const bucket = compose.services.operate?.environment?.S3_BUCKET ?? '';
  const client = rawClient(options);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return { ...options, bucket };
};

export const openComposeStores = async (home: string) => {
  const certs = await certificatesIn(join(home, 'certs'));
  const [node, valkey, s3] = await Promise.all([
    startNodeHere(join(home, 'log'), certs),
    startDedicatedValkey(),
    hasPrerequisite('bucket').then((isThere) => (isThere ? s3ForTests() : undefined)),
  ]);
  const stores: ComposeStores = {
    log: node.url,
    postgres: await freshDatabase(),
    redis: valkey.url,
    elasticsearch: (await elasticsearchForTests()).url,
    bucket: s3 === undefined ? undefined : await createBucket(s3.options),
  };
  const stop = async (): Promise<void> => {
    await Promise.all([node.stop(), valkey.stop(), s3?.stop()]);
  };
  return { stores, stop };
};
