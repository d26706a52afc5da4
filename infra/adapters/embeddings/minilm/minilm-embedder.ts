/** all-MiniLM-L6-v2 with weights of 8 bits, in a process of its own on this machine. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { Embedder, EmbedderFault } from '../../../ports/files/embedder';
import type { InstallOptions } from '../../programs/program-fault';
import { openEmbeddingQueue } from './embedding-queue';
import { type InferenceLimits, startInference } from './inference/inference-process';
import { fetchModel } from './model/fetch-model';
import { miniLmModel } from './model-name';

export interface MiniLmLimits extends InferenceLimits {
  /** An idle process is ended after so long; the next call starts it again, in half a second. */
  readonly idleMilliseconds: number;
  /** Calls that wait; further ones are refused. */
  readonly mostCalls: number;
}

/** The time limits end what hangs: on an idle machine a start takes half a second, a turn a fifth of one. */
const usualLimits: MiniLmLimits = {
  startMilliseconds: 60_000,
  runMilliseconds: 60_000,
  idleMilliseconds: 300_000,
  mostCalls: 256,
};

const description =
  'all-MiniLM-L6-v2 on this machine: finds English sentences of the same meaning, reads about 180 words of each text; other languages by words they share.';

/** Fetches the model unless it is there, and starts it once, so that a machine that cannot run it is known at once. */
export const openMiniLm = async (
  options: InstallOptions,
  limits: Partial<MiniLmLimits> = {},
): Promise<Either<EmbedderFault, Embedder>> => {
  const files = await fetchModel(options);
  if (isLeft(files)) return left(fault('embedder-unavailable', files.left.detail, files.left.cause));
  const { idleMilliseconds, mostCalls, ...processLimits } = { ...usualLimits, ...limits };
  const queue = openEmbeddingQueue({
    start: () => startInference(files.right, processLimits),
    idleMilliseconds,
    mostCalls,
  });
  const first = await queue.embed(['start'], { kind: 'passage' });
  if (isLeft(first)) {
    await queue.close();
    return first;
  }
  return right({
    model: miniLmModel,
    dimensions: 384,
    description,
    isCalibrated: true,
    embed: queue.embed,
    check: async () => {
      const failed = queue.startFault();
      return failed === undefined ? right(undefined) : left(failed);
    },
    close: queue.close,
  });
};
