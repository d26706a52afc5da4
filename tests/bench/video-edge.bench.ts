/**
 * Segments of 1 MB that an edge has on its disk, beside nginx's cache of the same bytes in the same run, each with one process; and many clients
 * at once for one that it does not have. Without nginx the rival is a bare Node server of the same files.
 */
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { openLocalBlobs } from '../../infra/adapters/blobs/local/local-blob-store';
import { freePort } from '../../infra/operate/launch/free-port';
import { expectRight } from '../support/domain/expect-right';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { startEdge, storeSegment } from '../support/video/edge-process';
import { fromCallers, percentile, rate, report } from './measure';
import { openByteClient } from './video-edge/byte-client';
import { startNginx } from './video-edge/nginx';

const segmentBytes = 1_000_000;
const segments = 200;
const clients = 32;
const requests = 1_500;
const rounds = 5;
const crowd = 200;

/** Bytes by the last part of their path. */
const serveFiles = async (directory: string) => {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    response.writeHead(200, { 'Content-Length': segmentBytes, 'Content-Type': 'video/iso.segment' });
    createReadStream(join(directory, basename(path)), { highWaterMark: 262_144 }).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** MB/s. */
const readMany = async (url: string, paths: readonly string[], count: number): Promise<number> => {
  const opened = await Promise.all(Array.from({ length: clients }, () => openByteClient(url)));
  const idle = [...opened];
  const perSecond = await rate(count, () =>
    fromCallers(clients, count, async (index) => {
      const client = idle.pop();
      await client?.get(paths[(index * 7) % paths.length] ?? '');
      if (client !== undefined) idle.push(client);
    }),
  );
  for (const client of opened) client.close();
  return (perSecond * segmentBytes) / 1e6;
};

const copyCached = async (cache: string, to: string): Promise<void> => {
  await mkdir(to);
  for (const entry of await readdir(join(cache, 'objects'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await copyFile(join(entry.parentPath, entry.name), join(to, entry.name.split('~')[0] ?? ''));
};

export const run = async (): Promise<void> => {
  const home = temporaryDirectory('bench-edge');
  const [directory, cache] = [join(home.path, 'blobs'), join(home.path, 'edge')];
  const secret = 'k'.repeat(43);
  const blobs = expectRight(openLocalBlobs({ directory, secret, url: 'http://127.0.0.1/blobs' }));
  const paths: string[] = [];
  for (let at = 0; at < segments; at += 1) paths.push((await storeSegment(blobs, 'v-1', segmentBytes)).path);
  const cold = (await storeSegment(blobs, 'v-2', segmentBytes)).path;
  const edge = await startEdge({ BLOBS_DIR: directory, BLOBS_KEY: secret, EDGE_CACHE_DIR: cache });
  await readMany(edge.url, paths, segments * 7);
  const files = join(home.path, 'files');
  await copyCached(cache, files);
  const bare = await serveFiles(files);
  const nginx = await startNginx(join(home.path, 'nginx'), (await freePort()) as number, bare.url);
  const rival = nginx?.url ?? bare.url;
  await readMany(rival, paths, segments * 7);
  const [edges, rivals]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    edges.push(await readMany(edge.url, paths, requests));
    rivals.push(await readMany(rival, paths, requests));
  }
  const against = nginx === undefined ? 'a bare Node server' : "nginx's cache";
  report({
    name: `video-edge/hits of 1 MB, beside ${against}`,
    value: percentile(edges, 0.5),
    unit: 'MB/s',
    baseline: percentile(rivals, 0.5),
  });
  const waiting = await Promise.all(Array.from({ length: crowd }, () => openByteClient(edge.url)));
  const perSecond = await rate(crowd, () => Promise.all(waiting.map((client) => client.get(cold))));
  for (const client of waiting) client.close();
  const text = await (await fetch(`${edge.url}/metrics`)).text();
  const fetched = Number(/^edge_origin_bytes_total\S* (\d+)$/m.exec(text)?.[1]) - segments * segmentBytes;
  report({ name: `video-edge/${crowd} clients at once for one cold segment`, value: crowd / perSecond, unit: 's' });
  report({ name: 'video-edge/times that segment was fetched', value: fetched / segmentBytes, unit: 'fetches' });
  await nginx?.stop();
  bare.close();
  await edge.kill();
  await blobs.close();
  home.remove();
};
