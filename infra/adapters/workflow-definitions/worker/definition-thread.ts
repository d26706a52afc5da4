/** A worker thread that reads one file at a time, with bounds on time and memory: a file that exceeds them ends the thread, and is refused. */
import { Worker } from 'node:worker_threads';
import { type Either, left } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { DefinitionProblem } from '../../../../domain/workflow/run/events';
import type { DefinitionFault, DefinitionTriggers, TriggerFacts } from '../../../ports/workflow/definitions';
import { problemAt } from '../file/nodes';
import type { NamedDefinition, NamedExpandRequest } from '../jobs/expand';
import { openTenantQueue } from './tenant-queue';

export type ThreadRequest =
  | { readonly kind: 'triggers'; readonly yaml: Uint8Array; readonly facts: TriggerFacts }
  | { readonly kind: 'expand'; readonly request: NamedExpandRequest };

export interface ThreadResults {
  readonly triggers: DefinitionTriggers;
  readonly expand: NamedDefinition;
}

export interface ThreadData {
  readonly library: string;
}

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'answer'; readonly answer: Either<readonly DefinitionProblem[], unknown> };

type Answer<Result = unknown> = Either<DefinitionFault | readonly DefinitionProblem[], Result>;

export interface DefinitionThread {
  readonly run: <Kind extends ThreadRequest['kind']>(
    tenantId: string,
    request: Extract<ThreadRequest, { kind: Kind }>,
  ) => Promise<Answer<ThreadResults[Kind]>>;
  readonly close: () => Promise<void>;
}

export interface DefinitionThreadOptions {
  /** The text of the bundled parser. */
  readonly library: string;
  /** For one file, from when the thread is ready. */
  readonly timeoutMilliseconds: number;
  readonly heapMegabytes: number;
  /** Of what the parser throws, which is a defect of it. */
  readonly onParserError: (error: string) => void;
  /** Options of the thread; the default is those of this process. */
  readonly execArgv?: readonly string[];
}

interface Job {
  readonly request: ThreadRequest;
  readonly resolve: (answer: Answer) => void;
}

interface Slot {
  readonly worker: Worker;
  isReady: boolean;
  job: Job | undefined;
  timer: NodeJS.Timeout | undefined;
  /** Why the thread is being ended. */
  isTooSlow: boolean;
}

const unavailable = (detail: string): Answer<never> => left(fault('definition-parser-unavailable', detail));
const refused = (message: string): Answer<never> => left([problemAt(undefined, message)]);

const script = require.resolve('./worker.main');

export const openDefinitionThread = (options: DefinitionThreadOptions): DefinitionThread => {
  const waiting = openTenantQueue<Job>();
  let slot: Slot | undefined;
  let isClosed = false;

  const answerOf = ({ isReady, isTooSlow }: Slot): Answer => {
    if (isTooSlow) return refused(`The file takes longer than ${options.timeoutMilliseconds / 1_000} seconds to read.`);
    if (isClosed) return unavailable('The parser of workflow files is closed.');
    if (!isReady) return unavailable('The parser of workflow files does not start.');
    return refused('The file takes more memory to read than is allowed.');
  };

  const settle = (ended: Slot, answer: Answer): void => {
    clearTimeout(ended.timer);
    const { job } = ended;
    ended.job = undefined;
    job?.resolve(answer);
  };

  const startNext = (): void => {
    if (waiting.isEmpty()) {
      // An idle thread keeps no process alive.
      slot?.worker.unref();
      return;
    }
    slot ??= start();
    slot.worker.ref();
    if (slot.job !== undefined) return;
    slot.job = waiting.take();
    if (slot.isReady) post(slot);
  };

  const post = (present: Slot): void => {
    if (present.job === undefined) return;
    present.timer = setTimeout(() => {
      present.isTooSlow = true;
      void present.worker.terminate();
    }, options.timeoutMilliseconds);
    present.worker.postMessage(present.job.request);
  };

  const handleMessage = (present: Slot, message: FromThread): void => {
    switch (message.kind) {
      case 'ready':
        present.isReady = true;
        post(present);
        break;
      case 'failed':
        options.onParserError(message.error);
        break;
      case 'answer':
        settle(present, message.answer);
        startNext();
        break;
    }
  };

  const start = (): Slot => {
    const data: ThreadData = { library: options.library };
    const worker = new Worker(script, {
      execArgv: [...(options.execArgv ?? process.execArgv)],
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: options.heapMegabytes, maxYoungGenerationSizeMb: 32 },
    });
    const present: Slot = { worker, isReady: false, job: undefined, timer: undefined, isTooSlow: false };
    worker.on('message', (message: FromThread) => handleMessage(present, message));
    // Out of memory, or a defect: `exit` follows.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (slot === present) slot = undefined;
      settle(present, answerOf(present));
      startNext();
    });
    return present;
  };

  return {
    run: (tenantId, request) =>
      new Promise((resolve) => {
        if (isClosed) return resolve(unavailable('The parser of workflow files is closed.'));
        waiting.add(tenantId, { request, resolve: resolve as Job['resolve'] });
        startNext();
      }),
    close: async () => {
      isClosed = true;
      for (const { resolve } of waiting.drain()) resolve(unavailable('The parser of workflow files is closed.'));
      await slot?.worker.terminate();
    },
  };
};
