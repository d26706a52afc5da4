/** Stores that are all elsewhere, named by an environment as an operator would, with something in each. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { Pool } from 'pg';
import type { S3Options } from '../../../infra/adapters/blobs/s3/client';
import { openS3Blobs } from '../../../infra/adapters/blobs/s3/s3-blob-store';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openLocalWrapping } from '../../../infra/adapters/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../../../infra/adapters/vault/postgres-key-table';
import { openVault } from '../../../infra/adapters/vault/subject-keys';
import type { BlobStore } from '../../../infra/ports/blob-store';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Vault } from '../../../infra/ports/vault';
import type { Environment } from '../../../infra/server/runtime/config';
import { freshDatabase } from '../../support/servers/shared-servers';
import { ok } from '../views/suite/view-store';

const masterKey = randomBytes(32);

export interface ExternalStores {
  readonly log: string | undefined;
  readonly postgres: string;
  readonly keys: string;
  readonly bucket: S3Options | undefined;
}

export const environmentOf = ({ log, postgres, keys, bucket }: ExternalStores): Environment => ({
  ...(log === undefined ? {} : { EVENTSTORE_URL: log }),
  POSTGRES_URL: postgres,
  KEYS_DIR: keys,
  MASTER_KEY: masterKey.toString('base64url'),
  ...(bucket === undefined
    ? {}
    : {
        S3_BUCKET: bucket.bucket,
        S3_ENDPOINT: bucket.endpoint,
        S3_ACCESS_KEY: bucket.accessKey,
        S3_SECRET_KEY: bucket.secretKey,
      }),
});

const vaultOf = ({ postgres, keys }: ExternalStores): Vault =>
  openVault({ table: openPostgresKeyTable(postgres), wrapping: openLocalWrapping({ directory: keys, masterKey }) });

export const keyIn = async (elsewhere: ExternalStores): Promise<string> => {
  const vault = vaultOf(elsewhere);
  const key = ok(await vault.keyFor(vault.subjectOf('acme', 'somebody')));
  await vault.close();
  return Buffer.from(key.bytes).toString('hex');
};

export const rowsOf = async (url: string, text: string): Promise<readonly unknown[]> => {
  const pool = new Pool({ connectionString: url, max: 1 });
  const { rows } = await pool.query(text);
  await pool.end();
  return rows;
};

const work = `
  insert into septet.leases values ('process.sample', 12, now() + interval '1 minute');
  insert into septet.process_checkpoints (process, position, token) values ('sample', 77, 12);
  insert into septet.timers values ('t-1', 'sample', 'sample.x-acme.1', 'k', 70, 0, now() + interval '1 hour', '{"a":1}', 'pending');
  insert into septet.work_jobs (queue, key, tenant, payload, cause, priority, most_attempts, state, due, token)
    values ('reports', 'k-1', 'acme', '{"text":"line\\u2028 \\" \\\\ end","large":9007199254740993}', '{}', 0, 8, 'dead', now(), nextval('septet.work_tokens'))`;

/** With work in it. */
export const databaseWithWork = async (): Promise<string> => {
  const url = await freshDatabase();
  assert.ok(isRight(await migrate({ url, readerPassword: 'reads' })));
  await rowsOf(url, work);
  return url;
};

export const append = async (store: EventStore, count: number): Promise<void> => {
  const stream = `sample.thing-acme.${randomUUID()}`;
  const events = Array.from({ length: count }, (_, index) => {
    const id = randomUUID();
    return { id, type: 'sample.Happened.v1', data: { index }, metadata: { commandId: id } };
  });
  ok(await store.append(stream, 'no-stream', events as never));
};

export const everyEvent = async (store: EventStore): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const { id, stream, revision, data } of store.readAll({ after: null, filter: { streams: ['sample.'] } }))
    found.push(`${id} ${stream} ${revision} ${JSON.stringify(data)}`);
  return found;
};

export const withBucket = async <A>(bucket: S3Options, use: (blobs: BlobStore) => Promise<A>): Promise<A> => {
  const blobs = openS3Blobs(bucket);
  try {
    return await use(blobs);
  } finally {
    await blobs.close();
  }
};
