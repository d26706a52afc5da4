/** An S3 server for tests: that of S3_ENDPOINT, or versitygw, built once with Go outside the project. */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { isLeft, left, right } from 'fp-ts/Either';
import type { S3Options } from '../../../infra/adapters/blobs/s3/client';
import { installDirectory } from '../../../infra/adapters/programs/install-directory';
import { temporaryDirectory } from '../files/temporary-directory';
import { eventually } from '../waiting/eventually';

const run = promisify(execFile);
const version = 'v1.8.0';
const tools = join(homedir(), '.cache', 'septet-tools', `versitygw-${version}`);

const program = 'versitygw';

export const s3ServerPath = join(tools, program);
/** Why the tests of buckets are skipped. */
export const noS3 = 'blobs in a bucket: neither S3_ENDPOINT nor Go is there';

/** Takes two minutes, so that the runner does it before the first test. Answers the reason when it failed. */
export const buildS3Server = async (): Promise<string | undefined> => {
  const installed = await installDirectory({
    directory: tools,
    isComplete: (directory) => existsSync(join(directory, program)),
    install: async (directory) => {
      const env = { ...process.env, GOBIN: directory };
      try {
        await run('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${version}`], { env });
        return right(undefined);
      } catch (error) {
        return left((error as Error).message);
      }
    },
    incomplete: 'Go made no program',
  });
  return isLeft(installed) ? `versitygw cannot be built: ${installed.left}` : undefined;
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { readonly port: number };
      probe.close(() => resolve(port));
    });
  });

export interface S3ForTests {
  readonly options: S3Options;
  /** Where its files lie, when it was started here. */
  readonly directory?: string;
  readonly stop: () => Promise<void>;
}

export const rawClient = ({ endpoint, region, accessKey, secretKey }: S3Options): S3Client =>
  new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
  });

/** A second bucket of the server, which retains versions. */
export const versionedBucket = (options: S3Options): S3Options => ({
  ...options,
  bucket: `${options.bucket}-versions`,
});

const createBucket = async (options: S3Options): Promise<void> => {
  const client = rawClient(options);
  try {
    await client.send(new CreateBucketCommand({ Bucket: options.bucket }));
  } finally {
    client.destroy();
  }
};

const createVersionedBucket = async (options: S3Options): Promise<void> => {
  const versioned = versionedBucket(options);
  await createBucket(versioned);
  const client = rawClient(versioned);
  const VersioningConfiguration = { Status: 'Enabled' } as const;
  try {
    await client.send(new PutBucketVersioningCommand({ Bucket: versioned.bucket, VersioningConfiguration }));
  } finally {
    client.destroy();
  }
};

const start = async (path: string): Promise<S3ForTests> => {
  const home = temporaryDirectory('s3');
  const port = await freePort();
  const [accessKey, secretKey] = [randomBytes(8).toString('hex'), randomBytes(16).toString('hex')];
  const env = { PATH: process.env.PATH, ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey };
  const [buckets, versions] = [join(home.path, 'buckets'), join(home.path, 'versions')];
  for (const directory of [buckets, versions]) mkdirSync(directory);
  const files = ['posix', '--versioning-dir', versions, buckets];
  const server = spawn(path, ['--port', `127.0.0.1:${port}`, '--quiet', ...files], { env, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  // An interrupted run leaves no server behind.
  process.once('exit', () => server.kill('SIGKILL'));
  const endpoint = `http://127.0.0.1:${port}`;
  const options = { endpoint, region: 'us-east-1', bucket: 'blobs', accessKey, secretKey };
  await eventually(() => fetch(endpoint));
  await createBucket(options);
  await createVersionedBucket(options);
  return {
    options,
    directory: buckets,
    stop: async () => {
      server.kill('SIGTERM');
      await ended;
      home.remove();
    },
  };
};

const given = async (endpoint: string): Promise<S3ForTests> => {
  const { S3_REGION = 'us-east-1', S3_ACCESS_KEY = '', S3_SECRET_KEY = '' } = process.env;
  const bucket = `septet-test-${randomBytes(6).toString('hex')}`;
  const options = { endpoint, region: S3_REGION, bucket, accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY };
  await createBucket(options);
  await createVersionedBucket(options);
  return { options, stop: async () => undefined };
};

/** For what needs the prerequisite `bucket`. */
export const s3ForTests = (): Promise<S3ForTests> => {
  const { S3_ENDPOINT } = process.env;
  return S3_ENDPOINT === undefined ? start(s3ServerPath) : given(S3_ENDPOINT);
};
