/** The thread that makes snapshots. */
import { parentPort } from 'node:worker_threads';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import type { PieceBlobs, SnapshotFault } from '../../../infra/documents/piece-blobs';
import { openPieceStore } from '../../../infra/documents/piece-store';
import { differencePage, type Outlines } from './difference-pages';
import { makeSnapshot } from './making';
import { replaySnapshot } from './replaying';
import type { Answered, Errand, FromThread, ToThread, Work } from './work';

type Answer = Either<SnapshotFault, Uint8Array | undefined>;

const outlines: Outlines = new Map();
const waiting = new Map<number, (answer: Answer) => void>();
let errands = 0;

const say = (message: FromThread): void => parentPort?.postMessage(message);

const send = (errand: Errand): Promise<Answer> =>
  new Promise((resolve) => {
    errands += 1;
    waiting.set(errands, resolve);
    say({ kind: 'errand', id: errands, errand });
  });

const stored: PieceBlobs = {
  put: async (named) => {
    const answer = await send({ kind: 'put', named });
    return isLeft(answer) ? answer : right(undefined);
  },
  get: async (key) => {
    const answer = await send({ kind: 'get', key });
    return isLeft(answer) ? answer : right(answer.right ?? new Uint8Array());
  },
};

const done = (tenant: TenantId, work: Work): Promise<Answered> => {
  const pieces = openPieceStore(stored, tenant);
  switch (work.kind) {
    case 'make':
      return makeSnapshot(pieces, work.making);
    case 'replay':
      return replaySnapshot(pieces, work.replaying);
    case 'compare':
      return differencePage(pieces, work.comparing, outlines);
  }
};

/** A defect ends the thread: whoever waits is told, and the next question begins another. */
const take = async (message: ToThread): Promise<void> => {
  if (message.kind === 'work') {
    const { id, tenant, work } = message;
    return say({ kind: 'work', id, answer: await done(tenant, work) });
  }
  waiting.get(message.id)?.(message.answer);
  waiting.delete(message.id);
};

parentPort?.on('message', (message: ToThread) => void take(message));
