/** Opening an earlier version of a document, by the length of its log; compared with replaying the whole log, as a store of operations alone must. */
import { isLeft } from 'fp-ts/Either';
import type { DocumentId } from '../../../domain/editor/ids';
import { logStream, operationLog } from '../../../domain/editor/operation-log/events';
import { apply } from '../../../domain/editor/reducer/apply';
import { emptyScene } from '../../../domain/editor/scene/scene';
import type { TenantId } from '../../../domain/kernel/ids';
import type { StreamReader } from '../../../infra/ports/stream-pages';
import { openAccessReader } from '../../../infra/server/documents/document-access';
import { pieceBlobs } from '../../../infra/server/documents/piece-blobs';
import { openPieceUrls } from '../../../infra/server/documents/piece-urls';
import { openSnapshotWorker } from '../../../infra/server/documents/snapshots/snapshot-worker';
import { openVersionSnapshots } from '../../../infra/server/documents/snapshots/version-snapshot';
import { bind } from '../../../infra/server/http/routing/route';
import { openVersion } from '../../../read-api/editor/open-version';
import { capturedLog, sampleIdentity, startHttpService } from '../../support/http/http-service';
import { typescript } from '../../support/runner/compiled';
import { percentile, report } from '../measure';
import { makeLongLog } from './documents/long-log';
import { openSetting, type Setting } from './documents/stores';

const lengths = { '10k': 10_000, '100k': 100_000, '1m': 1_000_000 } as const;
type Length = keyof typeof lengths;
export const parts = Object.keys(lengths);

const tenant = 'acme' as TenantId;
const opened = 30;
const pageSize = 500;

interface Document {
  readonly documentId: DocumentId;
  readonly operations: number;
}

/** Spread over the whole log, and none twice: what was opened once is kept. */
const versionsOf = ({ operations }: Document, share: number): readonly number[] =>
  Array.from({ length: opened + 1 }, (_, count) => 1 + Math.floor(((count + share) * operations) / (opened + 1)));

interface Cost {
  readonly milliseconds: number;
  readonly events: number;
}

/** Up to the middle of it. */
const replayed = async ({ pages }: Setting, { documentId, operations }: Document): Promise<Cost> => {
  const [began, scene, stream] = [performance.now(), emptyScene(), logStream(tenant, documentId)];
  let from = 0;
  for (let reached = 0; reached < operations / 2; ) {
    const page = await pages({ stream, from, direction: 'forwards', limit: pageSize, mostBytes: 8_388_608 });
    if (isLeft(page) || page.right.events.length === 0) throw new Error('The log ended too soon.');
    from += page.right.events.length;
    for (const { type, data } of page.right.events) {
      const event = operationLog.decode(type, data);
      if (isLeft(event) || event.right.type !== 'OperationsCommitted') continue;
      for (const operation of event.right.data.operations) {
        reached += 1;
        apply(scene, operation, reached);
      }
    }
  }
  return { milliseconds: performance.now() - began, events: from };
};

const caller = { ...sampleIdentity, tenantId: tenant, principalId: 'ada', scopes: ['documents:read'] };

/** By the query API's route, until its answer names the pieces. The first is left out: the thread starts with it. */
const timesToOpen = async ({ blobs, pages, store }: Setting, document: Document): Promise<readonly number[]> => {
  const snapshotWorker = openSnapshotWorker({ stored: pieceBlobs(blobs), execArgv: typescript(), log: capturedLog() });
  const atVersion = openVersionSnapshots({ pages, worker: snapshotWorker });
  const reading = { access: openAccessReader(store), atVersion, pieceUrls: openPieceUrls(blobs), snapshotWorker };
  const service = await startHttpService([bind(reading, openVersion)]);
  const times: number[] = [];
  for (const version of versionsOf(document, 0.37)) {
    const began = performance.now();
    const path = `/v1/documents/${document.documentId}/versions/${version}`;
    const answer = await service.call(path, { identity: caller });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
    times.push(performance.now() - began);
  }
  await Promise.all([service.close(), snapshotWorker.close()]);
  return times.slice(1);
};

/** Events that are read for one of them. */
const eventsRead = async ({ blobs, pages }: Setting, document: Document): Promise<readonly number[]> => {
  let read = 0;
  const counted: StreamReader = async (page) => {
    const answer = await pages(page);
    read += isLeft(answer) ? 0 : answer.right.events.length;
    return answer;
  };
  const worker = openSnapshotWorker({ stored: pieceBlobs(blobs), execArgv: typescript(), log: capturedLog() });
  const at = openVersionSnapshots({ pages: counted, worker: worker });
  const counts: number[] = [];
  for (const version of versionsOf(document, 0.61)) {
    read = 0;
    const snapshot = await at({ tenant, documentId: document.documentId }, version);
    if (isLeft(snapshot)) throw new Error(snapshot.left.detail);
    counts.push(read);
  }
  await worker.close();
  return counts;
};

const measure = async (setting: Setting, length: Length): Promise<void> => {
  const operations = lengths[length];
  const document = { documentId: await makeLongLog(setting, operations), operations };
  const times = await timesToOpen(setting, document);
  const counts = await eventsRead(setting, document);
  const whole = await replayed(setting, document);
  const inTime = { unit: 'ms', baseline: whole.milliseconds };
  report({ name: `editor-history.${length}.p50`, value: percentile(times, 0.5), ...inTime });
  report({ name: `editor-history.${length}.worst`, value: Math.max(...times), ...inTime });
  const inEvents = { unit: 'events', baseline: whole.events };
  report({ name: `editor-history.${length}.read.p50`, value: percentile(counts, 0.5), ...inEvents });
  report({ name: `editor-history.${length}.read.worst`, value: Math.max(...counts), ...inEvents });
};

export const run = async (chosen: readonly string[]): Promise<void> => {
  const setting = await openSetting();
  for (const length of parts as readonly Length[])
    if (chosen.length === 0 || chosen.includes(length)) await measure(setting, length);
  await setting.close();
};
