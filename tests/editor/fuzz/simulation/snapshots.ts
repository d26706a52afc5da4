/** Snapshots of a process: the real ones, made in this thread, in an object storage that is away now and then. */
import { createHash } from 'node:crypto';
import { isLeft, left, right } from 'fp-ts/Either';
import { openSnapshots } from '../../../../commands/editor/document-owner/snapshot-store';
import type { SnapshotStore } from '../../../../commands/editor/ports';
import { piecesNewestFirst } from '../../../../domain/editor/snapshot/manifest';
import type { TenantId } from '../../../../domain/kernel/ids';
import { fault } from '../../../../domain/kernel/rejection';
import type { StreamReader } from '../../../../infra/ports/stream-pages';
import type { PieceBlobs } from '../../../../infra/server/documents/piece-blobs';
import { loadManifest, openPieceStore } from '../../../../infra/server/documents/piece-store';
import type { PieceUrls } from '../../../../infra/server/documents/piece-urls';
import { readDiffPage } from '../../../../infra/server/documents/snapshots/diff-pages';
import { replaySnapshot } from '../../../../infra/server/documents/snapshots/snapshot-replay';
import type {
  JobResult,
  SnapshotJob,
  SnapshotWorker,
} from '../../../../infra/server/documents/snapshots/snapshot-worker';
import { makeSnapshot } from '../../../../infra/server/documents/snapshots/snapshot-writer';
import { openVersionSnapshots } from '../../../../infra/server/documents/snapshots/version-snapshot';
import { type Life, living } from './unreliable-log';
import type { World } from './world';

const away = left(fault('snapshots-unavailable', 'Away.'));

/** By key and time, because threads decide the order of calls. */
const chanceOf = ({ time }: World, key: string): number =>
  createHash('sha256').update(`${key} ${time.now()}`).digest().readUInt32BE() / 2 ** 32;

const storedIn = (world: World): PieceBlobs => {
  const isAway = (key: string, share: number): boolean => !world.isCalm && chanceOf(world, key) < share;
  return {
    put: async ({ key, bytes }) => {
      if (isAway(key, 0.05)) return away;
      world.pieces.set(key, bytes);
      return right(undefined);
    },
    get: async (key) => {
      const bytes = world.pieces.get(key);
      if (isAway(key, 0.02)) return away;
      return bytes === undefined ? left(fault('snapshot-damaged', `${key} is not there.`)) : right(bytes);
    },
  };
};

const done = (stored: PieceBlobs, tenant: TenantId, work: SnapshotJob): Promise<JobResult> => {
  const pieces = openPieceStore(stored, tenant);
  if (work.kind === 'make') return makeSnapshot(pieces, work.input);
  if (work.kind === 'replay') return replaySnapshot(pieces, work.input);
  return readDiffPage(pieces, work.request);
};

const address = 'https://pieces.test/';

/** Small ones in the message, and the others behind their URLs. */
const pieceUrlsOf =
  (stored: PieceBlobs): PieceUrls['of'] =>
  async (tenant, snapshot) => {
    const pieces = openPieceStore(stored, tenant);
    const manifest = await loadManifest(pieces, snapshot);
    if (isLeft(manifest)) return manifest;
    const own = { key: snapshot.compressedSceneKey, checksum: snapshot.checksum };
    const urls: { key: string; base64?: string; url?: string }[] = [];
    for (const ref of [own, ...piecesNewestFirst(manifest.right)]) {
      const bytes = await pieces.bytes(ref);
      if (isLeft(bytes)) return bytes;
      const isSmall = bytes.right.length < 300;
      const base64 = Buffer.from(bytes.right).toString('base64');
      urls.push({ key: ref.key, ...(isSmall ? { base64 } : { url: `${address}${ref.key}` }) });
    }
    return right(urls);
  };

/** Now and then nothing comes, or only the beginning of it. */
export const fetchFrom =
  (world: World) =>
  async (url: string): Promise<Uint8Array> => {
    const bytes = world.pieces.get(url.slice(address.length));
    const what = world.isCalm ? 1 : chanceOf(world, url);
    if (bytes === undefined || what < 0.05) throw new Error('It cannot be fetched.');
    return what < 0.08 ? bytes.subarray(0, bytes.length >> 1) : bytes;
  };

/** The work is done at once, and known of later: the document goes on meanwhile. */
const after =
  <Arguments extends readonly unknown[], Answer>(
    { time, wait, below }: World,
    call: (...parameters: Arguments) => Promise<Answer>,
  ) =>
  async (...parameters: Arguments): Promise<Answer> => {
    // Drawn before the call: threads decide which of two calls ends first.
    const milliseconds = 1 + below(120);
    const answer = await time.meanwhile(call(...parameters));
    await wait(milliseconds);
    return answer;
  };

export interface Snapshots {
  readonly snapshots: SnapshotStore;
  readonly pieceUrls: PieceUrls;
}

export const openProcessSnapshots = (world: World, life: Life, pages: StreamReader): Snapshots => {
  const stored = storedIn(world);
  const runJob = after(world, (tenant: TenantId, work: SnapshotJob) => done(stored, tenant, work));
  const worker: SnapshotWorker = { run: runJob as SnapshotWorker['run'], close: async () => undefined };
  const snapshots = openSnapshots({ stored, worker, at: openVersionSnapshots({ pages, worker }) });
  return {
    snapshots: {
      load: living(life, after(world, snapshots.load)),
      take: living(life, snapshots.take),
      atVersion: living(life, snapshots.atVersion),
    },
    pieceUrls: { of: (tenant, snapshot) => world.time.meanwhile(pieceUrlsOf(stored)(tenant, snapshot)) },
  };
};
