/** An S3 server for tests: that of S3_ENDPOINT, or versitygw, built once with Go outside the project. */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Options } from '../../../infra/blobs/s3/client';
import { eventually } from '../waiting/eventually';
import { temporaryDirectory } from './event-store-node';

const run = promisify(execFile);
const version = 'v1.8.0';
const tools = join(homedir(), '.cache', 'septet-tools', `versitygw-${version}`);

export const s3ServerPath = join(tools, 'versitygw');
/** Why the tests of buckets are skipped. */
export const noS3 = 'blobs in a bucket: neither S3_ENDPOINT nor Go is there';

/** Takes two minutes, so that the runner does it before the first test. The answer says why it failed. */
export const buildS3Server = async (): Promise<string | undefined> => {
  mkdirSync(tools, { recursive: true });
  try {
    const env = { ...process.env, GOBIN: tools };
    await run('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${version}`], { env });
    return undefined;
  } catch (error) {
    return `versitygw cannot be built: ${(error as Error).message}`;
  }
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

const createBucket = async (options: S3Options): Promise<void> => {
  const client = rawClient(options);
  try {
    await client.send(new CreateBucketCommand({ Bucket: options.bucket }));
  } finally {
    client.destroy();
  }
};

const start = async (path: string): Promise<S3ForTests> => {
  const home = temporaryDirectory('s3');
  const port = await freePort();
  const [accessKey, secretKey] = [randomBytes(8).toString('hex'), randomBytes(16).toString('hex')];
  const env = { PATH: process.env.PATH, ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey };
  const server = spawn(path, ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', home.path], { env, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  // An interrupted run leaves no server behind.
  process.once('exit', () => server.kill('SIGKILL'));
  const endpoint = `http://127.0.0.1:${port}`;
  const options = { endpoint, region: 'us-east-1', bucket: 'blobs', accessKey, secretKey };
  await eventually(() => fetch(endpoint));
  await createBucket(options);
  return {
    options,
    directory: home.path,
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
  return { options, stop: async () => undefined };
};

/** Undefined when there is none. */
export const s3ForTests = async (): Promise<S3ForTests | undefined> => {
  const { S3_ENDPOINT } = process.env;
  if (S3_ENDPOINT !== undefined) return given(S3_ENDPOINT);
  return existsSync(s3ServerPath) ? start(s3ServerPath) : undefined;
};
