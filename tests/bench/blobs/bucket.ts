/** A bucket through our adapter against the SDK's own calls, on the same server. */
import type { Readable } from 'node:stream';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { openS3Blobs } from '../../../infra/adapters/blobs/s3/s3-blob-store';
import { expectSuccess, putOf } from '../../contracts/blobs/suite/store-calls';
import { hasPrerequisite } from '../../support/runner/prerequisites';
import { rawClient, s3ForTests } from '../../support/servers/s3-server';
import { drained, loads } from './loads';
import { compare } from './rounds';

export const benchBucket = async (): Promise<void> => {
  if (!(await hasPrerequisite('bucket'))) return;
  const server = await s3ForTests();
  const [blobs, client, Bucket] = [openS3Blobs(server.options), rawClient(server.options), server.options.bucket];
  for (const { label, size, callers, count, kept } of loads) {
    const bytes = Buffer.alloc(size, 'x');
    const load = { callers, count, bytes: size };
    const key = (index: number) => `${label}-${index % kept}`;
    await compare({
      ...load,
      name: `blobs.s3.put.${label}`,
      ours: async (index) => expectSuccess(await blobs.put(putOf(key(index), bytes))),
      floor: (index) =>
        client.send(new PutObjectCommand({ Bucket, Key: key(index), Body: bytes, ChecksumAlgorithm: 'SHA256' })),
    });
    await compare({
      ...load,
      name: `blobs.s3.get.${label}`,
      ours: async (index) => drained(expectSuccess(await blobs.get({ key: key(index) })).body),
      floor: async (index) => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key(index) }));
        return drained(Body as Readable);
      },
    });
  }
  client.destroy();
  await blobs.close();
  await server.stop();
};
