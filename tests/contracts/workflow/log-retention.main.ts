/** Moves or removes one log, and stops at the point that its parent names, which kills it there. */
import { isLeft } from 'fp-ts/Either';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { createPostgresLogRetention } from '../../../infra/adapters/postgres/workflow/log-retention';
import type { BlobStore } from '../../../infra/ports/blob-store';

const [url = '', directory = '', point = '', keep = ''] = process.argv.slice(2);

/** Never returns: the parent kills this process. */
const stopAt = async (reached: string): Promise<void> => {
  if (reached !== point) return;
  process.send?.(reached);
  await new Promise(() => setInterval(() => undefined, 60_000));
};

async function* stopping(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of body) {
    yield bytes;
    await stopAt('object half written');
  }
}

const run = async (): Promise<void> => {
  const opened = openLocalBlobs({ directory, secret: 's'.repeat(43), url: 'http://127.0.0.1:1/blobs' });
  if (isLeft(opened)) throw new Error(opened.left.detail);
  const store = opened.right;
  const blobs: Pick<BlobStore, 'put' | 'remove'> = {
    put: async (request) => {
      await stopAt('claimed');
      const put = await store.put({ ...request, body: stopping(request.body as AsyncIterable<Uint8Array>) });
      await stopAt('object written');
      return put;
    },
    remove: async (key) => {
      await stopAt('marked as expiring');
      const removed = await store.remove(key);
      await stopAt('object removed');
      return removed;
    },
  };
  const pool = openDurablePool({ url });
  const retention = createPostgresLogRetention({ pool, blobs, keepMilliseconds: Number(keep) });
  const isExpiring = point === 'marked as expiring' || point === 'object removed';
  const handled = await (isExpiring ? retention.expire() : retention.compact());
  process.send?.(isLeft(handled) ? handled.left.detail : 'handled');
  process.disconnect();
  await pool.end();
  await store.close();
};

void run();
