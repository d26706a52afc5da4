/** Reads objects in a job: where object storage breaks off, the job is tried again. */
import type { Readable } from 'node:stream';
import { StorageFault } from './recorded-job';

/** Throws a `StorageFault` where they break off. Damaged bytes come no better later, which is a fault of another kind. */
export async function* bytesOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk as Buffer;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'blob-damaged') throw error;
    throw new StorageFault('Object storage broke off while a content was read.', { cause: error });
  }
}

/** As `bytesOf`; for what fits into memory. */
export const wholeOf = async (body: Readable): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of bytesOf(body)) chunks.push(chunk);
  return Buffer.concat(chunks);
};
