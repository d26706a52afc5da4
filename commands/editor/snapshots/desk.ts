/** One thread for all snapshots of a process; begun when it is needed, and again when it has ended. */
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Either, left } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import { fault } from '../../../domain/kernel/rejection';
import type { PieceBlobs, SnapshotFault } from '../../../infra/documents/piece-blobs';
import type { Log } from '../../../infra/ports/log';
import type { Answered, Errand, FromThread, ToThread, Work } from './work';

export interface Desk {
  readonly ask: <Kind extends Work['kind']>(
    tenant: TenantId,
    work: Extract<Work, { kind: Kind }>,
  ) => Promise<Answered<Kind>>;
  readonly close: () => Promise<void>;
}

export interface DeskOptions {
  readonly stored: PieceBlobs;
  /** Of the thread; those of this process when left out. */
  readonly execArgv?: readonly string[];
  readonly log: Log;
}

interface Seat {
  readonly worker: Worker;
  readonly waiting: Map<number, (answer: Answered) => void>;
}

const gone: Either<SnapshotFault, never> = left(
  fault('snapshots-unavailable', 'What makes snapshots has ended; it begins anew.'),
);

/** The same extension as this file: TypeScript in a checkout, JavaScript in a build. */
const script = join(__dirname, `worker.main${extname(__filename)}`);

const run = (stored: PieceBlobs, errand: Errand) =>
  errand.kind === 'put' ? stored.put(errand.named) : stored.get(errand.key);

const tell = ({ worker }: Seat, message: ToThread): void => worker.postMessage(message);

const take = async (seat: Seat, stored: PieceBlobs, message: FromThread): Promise<void> => {
  const { id } = message;
  if (message.kind === 'errand') {
    const answer = await run(stored, message.errand);
    return tell(seat, { kind: 'errand', id, answer: answer as Either<SnapshotFault, Uint8Array | undefined> });
  }
  seat.waiting.get(id)?.(message.answer);
  seat.waiting.delete(id);
  if (seat.waiting.size === 0) seat.worker.unref();
};

const beginSeat = (options: DeskOptions, ended: (seat: Seat) => void): Seat => {
  const { stored, execArgv = process.execArgv, log } = options;
  const worker = new Worker(script, { execArgv: [...execArgv] });
  const seat: Seat = { worker, waiting: new Map() };
  worker.on('message', (message: FromThread) => void take(seat, stored, message));
  worker.on('error', (error) => log.error({ error }, 'what makes snapshots has ended'));
  worker.once('exit', () => {
    ended(seat);
    for (const answer of seat.waiting.values()) answer(gone);
    seat.waiting.clear();
  });
  return seat;
};

export const openDesk = (options: DeskOptions): Desk => {
  let seat: Seat | undefined;
  let count = 0;
  const seated = (): Seat => {
    seat ??= beginSeat(options, (ended) => {
      if (seat === ended) seat = undefined;
    });
    return seat;
  };
  return {
    ask: (tenant, work) =>
      new Promise((resolve) => {
        const present = seated();
        count += 1;
        present.waiting.set(count, resolve as (answer: Answered) => void);
        present.worker.ref();
        tell(present, { kind: 'work', id: count, tenant, work });
      }),
    close: async () => void (await seat?.worker.terminate()),
  };
};
