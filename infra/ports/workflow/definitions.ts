/** Workflow files: what triggers them, which jobs they become, and the value of their expressions. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';
import type { GraphContent } from '../../../domain/workflow/protocol/job-content';
import type { Concurrency, DefinitionProblem, JobNode } from '../../../domain/workflow/run/events';
import type { DispatchInput } from '../../../domain/workflow/trigger/dispatch-inputs';
import type { TriggerType } from '../../../domain/workflow/trigger/events';

/** The parser was ended because it took too long or too much memory. */
export type DefinitionFault = Fault<'definition-parser-unavailable'>;

/** What happened to the repository, as filters see it. */
export interface TriggerFacts {
  readonly eventType: TriggerType;
  readonly ref: string;
  readonly branch: string;
  readonly baseBranch: string | null;
  readonly activity: string | null;
  /** Undefined: unknown, so that path filters let everything through. */
  readonly changedPaths: readonly string[] | undefined;
}

export interface DefinitionTriggers {
  /** The file's `name`, else undefined. */
  readonly name: string | undefined;
  readonly matches: boolean;
  /** Inputs that `workflow_dispatch` declares. */
  readonly inputs: readonly DispatchInput[];
}

/** Contexts of expressions by name: `github`, `inputs`, `needs`, `matrix`, `strategy`, `env`, `steps`, … JSON values. */
export type ExpressionContexts = { readonly [name: string]: unknown };

export interface ExpandRequest {
  /** Files of one tenant are read in turn with those of others. */
  readonly tenantId: string;
  readonly path: string;
  readonly yaml: Uint8Array;
  readonly contexts: ExpressionContexts;
  readonly mostJobs: number;
  /** Stable ids: the same key and combination has the same id in every attempt. */
  readonly jobId: (name: string) => string;
  /** Only this key, whose matrix needs outputs; `contexts.needs` holds them. Undefined: the whole file. */
  readonly key?: string;
}

export interface ExpandedDefinition {
  readonly jobs: readonly JobNode[];
  /** Keys whose matrix needs outputs of other jobs. */
  readonly planned: readonly { readonly key: string; readonly needs: readonly string[] }[];
  readonly content: GraphContent;
  /** `run-name`, evaluated; undefined: there is none. */
  readonly title?: string | undefined;
  /** Of the whole run; undefined: it is in no group. */
  readonly concurrency?: Concurrency | undefined;
  /** Name and version of the parser. */
  readonly parser: string;
}

/** Of the jobs that an expression's status functions look at. */
export interface StatusFacts {
  readonly isCanceled: boolean;
  readonly hasFailure: boolean;
  /** No needed job failed, was canceled or skipped, in any generation. */
  readonly isSuccess: boolean;
}

export interface Definitions {
  /** Which event starts it. Problems: the file cannot be read at all. */
  readonly readTriggers: (
    yaml: Uint8Array,
    tenantId: string,
    facts: TriggerFacts,
  ) => Promise<Either<DefinitionFault | readonly DefinitionProblem[], DefinitionTriggers>>;
  /** Problems: every fault that the file has, or the refusal of what is not supported or too large; nothing was allocated. */
  readonly expand: (
    request: ExpandRequest,
  ) => Promise<Either<DefinitionFault | readonly DefinitionProblem[], ExpandedDefinition>>;
  /** Whether a job's condition holds; null stands for `success()`. */
  readonly holds: (
    condition: string | null,
    contexts: ExpressionContexts,
    status: StatusFacts,
  ) => Either<DefinitionProblem, boolean>;
  readonly close: () => Promise<void>;
}
