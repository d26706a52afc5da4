/** An edge as a process of its own, and requests of its players. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { TenantId } from '../../../domain/kernel/ids';
import type { VideoId } from '../../../domain/video/ids';
import { deliveredPrefix } from '../../../domain/video/keys';
import type { BlobStore } from '../../../infra/ports/blob-store';
import { entryPath } from '../../../infra/server/bundle/entry-path';
import { signDeliveryPrefix } from '../../../infra/server/video/delivery-address';
import { purgingPrincipal } from '../../../infra/server/video/purge-call';
import { expectRight } from '../domain/expect-right';
import { gatewayKey, jwksText, newInternalKey, serviceVariables } from '../http/internal-keys';
import { exitOf } from '../processes/child-exit';
import { reportOf } from '../processes/child-report';
import { sha256Of } from './memory-origin';

const deliveryKey = { id: 'k1', secret: 'd'.repeat(43) };
/** Of workers. */
export const purgeKey = newInternalKey('workers', { ...purgingPrincipal, scopes: [...purgingPrincipal.scopes] });

export interface EdgeProcess {
  readonly url: string;
  readonly kill: () => Promise<void>;
  /** SIGTERM. Answers the exit code. */
  readonly end: () => Promise<number | null>;
}

export const startEdge = async (env: Readonly<Record<string, string>>): Promise<EdgeProcess> => {
  const child = fork(entryPath('infra/edge/main'), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ...serviceVariables,
      INTERNAL_KEYS: jwksText(gatewayKey, purgeKey),
      VIDEO_DELIVERY_KEYS: `${deliveryKey.id}:${deliveryKey.secret}`,
      LOG_LEVEL: 'error',
      ...env,
    },
  });
  const { port } = await reportOf<{ readonly port: number }>(child);
  const stop = (signal: 'SIGKILL' | 'SIGTERM') => () => {
    child.kill(signal);
    return exitOf(child);
  };
  const kill = stop('SIGKILL');
  return { url: `http://127.0.0.1:${port}`, kill: async () => void (await kill()), end: stop('SIGTERM') };
};

const generationOf = (videoId: string, generation = 1) => ({
  tenant: 'acme' as TenantId,
  videoId: videoId as VideoId,
  generation,
});

export const signedPrefix = (videoId: string, now = Date.now()): string =>
  signDeliveryPrefix([deliveryKey], generationOf(videoId), now / 1_000 + 600);

export interface StoredObject {
  readonly bytes: Buffer;
  readonly key: string;
  /** Signed. */
  readonly path: string;
}

export const storeSegment = async (blobs: BlobStore, videoId: string, size: number): Promise<StoredObject> => {
  const bytes = randomBytes(size);
  const name = `${sha256Of(bytes)}.m4s`;
  const key = `${deliveredPrefix(generationOf(videoId), 'segments')}${name}`;
  expectRight(await blobs.put({ key, body: bytes, size, contentType: 'video/mp4' }));
  return { bytes, key, path: `${signedPrefix(videoId)}segments/${name}` };
};

export interface EdgeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The connection ended before the announced length. */
  readonly isCut: boolean;
}

export interface EdgeRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called with each chunk. */
  readonly received?: (message: IncomingMessage) => void;
}

/** The path as it is, in the spelling that no client would send. */
export const requestEdge = (url: string, path: string, options: EdgeRequest = {}): Promise<EdgeAnswer> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, received } = options;
    const { hostname, port } = new URL(url);
    const sent = httpRequest({ hostname, port, path, method, headers, agent: false }, (message) => {
      const chunks: Buffer[] = [];
      const settle = (isCut: boolean): void =>
        resolve({ status: message.statusCode ?? 0, headers: message.headers, body: Buffer.concat(chunks), isCut });
      message.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        received?.(message);
      });
      message.once('error', () => settle(true));
      message.once('end', () => settle(!message.complete));
    });
    sent.once('error', reject);
    sent.end();
  });
