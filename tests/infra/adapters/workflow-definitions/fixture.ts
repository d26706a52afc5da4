/** Workflow files as lines of text, read by one open parser for all tests of a file. */
import { strict as assert } from 'node:assert';
import { isLeft, isRight } from 'fp-ts/Either';
import type { DefinitionProblem } from '../../../../domain/workflow/run/events';
import { type DefinitionsOptions, openDefinitions } from '../../../../infra/adapters/workflow-definitions/definitions';
import type {
  Definitions,
  ExpandedDefinition,
  ExpandRequest,
  ExpressionContexts,
  TriggerFacts,
} from '../../../../infra/ports/workflow/definitions';

export type Problem = readonly [line: number | null, column: number | null, message: string];

const bytes = (yaml: string): Uint8Array => new TextEncoder().encode(yaml);

const isProblems = (value: unknown): value is readonly DefinitionProblem[] => Array.isArray(value);

export interface OpenedDefinitions {
  readonly definitions: Definitions;
  readonly expand: (yaml: string, request?: Partial<ExpandRequest>) => Promise<ExpandedDefinition>;
  readonly problems: (yaml: string | Uint8Array, request?: Partial<ExpandRequest>) => Promise<readonly Problem[]>;
  readonly starts: (yaml: string, facts: Partial<TriggerFacts>) => Promise<boolean>;
  readonly triggerProblems: (yaml: string, facts?: Partial<TriggerFacts>) => Promise<readonly Problem[]>;
}

const problemsOf = (problems: unknown): readonly Problem[] => {
  assert(isProblems(problems), `a fault: ${JSON.stringify(problems)}`);
  return problems.map(({ line, column, message }) => [line, column, message]);
};

const pushed: TriggerFacts = {
  eventType: 'push',
  ref: 'refs/heads/main',
  branch: 'main',
  baseBranch: null,
  activity: null,
  changedPaths: undefined,
};

export const contexts: ExpressionContexts = { github: { ref: 'refs/heads/main', event_name: 'push' } };

/** Ids are the names that they are made of. */
const request = (yaml: string | Uint8Array, more: Partial<ExpandRequest>): ExpandRequest => ({
  tenantId: 'tenant',
  path: '.github/workflows/test.yml',
  yaml: typeof yaml === 'string' ? bytes(yaml) : yaml,
  contexts,
  mostJobs: 256,
  jobId: (name) => name,
  ...more,
});

export const opened = (options: Partial<DefinitionsOptions> = {}): OpenedDefinitions => {
  const errors: string[] = [];
  const definitions = openDefinitions({ onParserError: (error) => errors.push(error), ...options });
  return {
    definitions,
    expand: async (yaml, more = {}) => {
      const expanded = await definitions.expand(request(yaml, more));
      assert(isRight(expanded), JSON.stringify(expanded));
      return expanded.right;
    },
    problems: async (yaml, more = {}) => {
      const expanded = await definitions.expand(request(yaml, more));
      assert(isLeft(expanded), 'the file was expanded');
      assert.deepEqual(errors, []);
      return problemsOf(expanded.left);
    },
    starts: async (yaml, facts) => {
      const read = await definitions.readTriggers(bytes(yaml), 'tenant', { ...pushed, ...facts });
      assert(isRight(read), JSON.stringify(read));
      return read.right.matches;
    },
    triggerProblems: async (yaml, facts = {}) => {
      const read = await definitions.readTriggers(bytes(yaml), 'tenant', { ...pushed, ...facts });
      assert(isLeft(read), 'the triggers were read');
      return problemsOf(read.left);
    },
  };
};

/** A file of one job with these lines below its key. */
export const job = (...lines: readonly string[]): string =>
  [
    'on: push',
    'jobs:',
    '  test:',
    ...['runs-on: linux', ...lines, 'steps: [{ run: make }]'].map((line) => `    ${line}`),
    '',
  ].join('\n');
