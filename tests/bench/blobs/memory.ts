/** Memory of a process while a gibibyte passes through it, in and out, compared with before. */
import { join } from 'node:path';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { openS3Blobs } from '../../../infra/adapters/blobs/s3/s3-blob-store';
import type { BlobStore } from '../../../infra/ports/blob-store';
import { expectSuccess } from '../../contracts/blobs/suite/store-calls';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { hasPrerequisite } from '../../support/runner/prerequisites';
import { s3ForTests } from '../../support/servers/s3-server';
import { report } from '../measure';

const mebibyte = 1024 * 1024;
const size = 1024 * mebibyte;

const resident = (): number => process.memoryUsage().rss / mebibyte;

async function* fresh(watch: () => void): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < size; sent += 64 * 1024) {
    if (sent % mebibyte === 0) watch();
    yield Buffer.alloc(64 * 1024, 'x');
  }
}

const measured = async (name: string, blobs: BlobStore): Promise<void> => {
  const before = resident();
  let most = 0;
  const watch = (): void => {
    most = Math.max(most, resident());
  };
  expectSuccess(await blobs.put({ key: 'large', size, contentType: 'a/b', body: fresh(watch) }));
  report({ name: `blobs.${name}.memory.put1GiB`, value: most, unit: 'MiB RSS', baseline: before });
  most = 0;
  const { body } = expectSuccess(await blobs.get({ key: 'large' }));
  for await (const _chunk of body) watch();
  report({ name: `blobs.${name}.memory.get1GiB`, value: most, unit: 'MiB RSS', baseline: before });
  expectSuccess(await blobs.remove('large'));
  await blobs.close();
};

export const benchMemory = async (): Promise<void> => {
  const home = temporaryDirectory('bench-blobs');
  const options = { directory: join(home.path, 'blobs'), secret: 's'.repeat(43), url: 'http://localhost' };
  await measured('disk', expectSuccess(openLocalBlobs(options)));
  home.remove();
  if (!(await hasPrerequisite('bucket'))) return;
  const server = await s3ForTests();
  await measured('s3', openS3Blobs(server.options));
  await server.stop();
};
