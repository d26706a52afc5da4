/** The worker thread that reads workflow files. It holds nothing of a request when it has answered, but for the trees of the last files. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Either, left } from 'fp-ts/Either';
import type { DefinitionProblem } from '../../../../domain/workflow/run/events';
import { problemAt } from '../file/nodes';
import { expandDefinition } from '../jobs/expand';
import { loadLibrary } from '../library';
import { readTriggers } from '../triggers/read-triggers';
import type { FromThread, ThreadData, ThreadRequest } from './definition-thread';

const library = loadLibrary((workerData as ThreadData).library);

const postMessage = (message: FromThread): void => parentPort?.postMessage(message);

const run = async (request: ThreadRequest): Promise<Either<readonly DefinitionProblem[], unknown>> => {
  try {
    return request.kind === 'triggers'
      ? readTriggers(request.yaml, request.facts)
      : await expandDefinition(library, request.request);
  } catch (error) {
    // The parser throws on some files instead of reporting; the process logs the error.
    postMessage({ kind: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    return left([problemAt(undefined, 'The file cannot be read: the parser fails on it.')]);
  }
};

const answer = async (request: ThreadRequest): Promise<void> =>
  postMessage({ kind: 'answer', answer: await run(request) });

parentPort?.on('message', (request: ThreadRequest) => void answer(request));
postMessage({ kind: 'ready' });
