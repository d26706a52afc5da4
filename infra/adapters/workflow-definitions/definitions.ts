/** Workflow files by GitHub's parser, in a worker thread; conditions of jobs in this one. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DefinitionProblem, JobNode } from '../../../domain/workflow/run/events';
import { openBudget, openExpressions } from '../../../packages/workflow-expressions/src/index';
import type { Definitions, ExpandedDefinition, ExpandRequest } from '../../ports/workflow/definitions';
import { problemAt } from './file/nodes';
import type { NamedDefinition } from './jobs/expand';
import { loadLibrary, readLibrary } from './library';
import { openDefinitionThread } from './worker/definition-thread';

/** Conditions of all jobs that become ready are evaluated one after another, in the service's own process. */
const conditionOperations = 1_048_576;

export interface DefinitionsOptions {
  /** Called with the stack of an error that the parser threw: a defect, which its file is refused for. */
  readonly onParserError: (error: string) => void;
  /** For one file; the default is 10 s. */
  readonly timeoutMilliseconds?: number;
  /** Of the thread; the default is 256 MB. */
  readonly heapMegabytes?: number;
}

const withIds = (definition: NamedDefinition, jobId: ExpandRequest['jobId']): ExpandedDefinition => {
  const { jobs, planned, title, concurrency, parser } = definition;
  const identified = jobs.map((job) => ({ ...job, jobId: jobId(job.uniqueName) as JobNode['jobId'] }));
  return {
    jobs: identified.map(({ jobId: id, node }) => ({ jobId: id, ...node })),
    content: { jobs: Object.fromEntries(identified.map(({ jobId: id, content }) => [id, content])) },
    planned,
    title,
    concurrency,
    parser,
  };
};

export const openDefinitions = (options: DefinitionsOptions): Definitions => {
  const { onParserError, timeoutMilliseconds = 10_000, heapMegabytes = 256 } = options;
  const library = readLibrary();
  const expressions = openExpressions(loadLibrary(library).expressions, { for: 'job' });
  const thread = openDefinitionThread({ library, timeoutMilliseconds, heapMegabytes, onParserError });

  const readTriggers: Definitions['readTriggers'] = (yaml, tenantId, facts) =>
    thread.run<'triggers'>(tenantId, { kind: 'triggers', yaml, facts });

  const expand: Definitions['expand'] = async ({ jobId, tenantId, ...request }) => {
    const answer = await thread.run<'expand'>(tenantId, { kind: 'expand', request });
    return isLeft(answer) ? answer : right(withIds(answer.right, jobId));
  };

  const holds: Definitions['holds'] = (condition, contexts, status): Either<DefinitionProblem, boolean> => {
    const value = expressions.holds(condition, { contexts, status, budget: openBudget(conditionOperations) });
    return isLeft(value) ? left(problemAt(undefined, `The condition has no value: ${value.left}.`)) : value;
  };

  return { readTriggers, expand, holds, close: thread.close };
};
