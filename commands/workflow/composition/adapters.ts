/** The parser of definitions and the repositories of the workflow service. */
import { left } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import { anyText, type ConfigOf, withDefault } from '../../../infra/runtime/config';
import type { WorkflowPlatform } from '../platform';

export const adapterVariables = {
  /** Bare repositories, a directory each. */
  REPOSITORIES_DIR: withDefault(anyText, '.data/repositories'),
};

export type OpenedAdapters = Pick<WorkflowPlatform, 'definitions' | 'git'> & {
  readonly close: () => Promise<unknown>;
};

const noParser = async () => left(fault('definition-parser-unavailable', 'This server has no parser of definitions.'));

/** What this build does not have yet answers with a fault: runs end as failures whose problem says so. */
export const openAdapters = (_values: ConfigOf<typeof adapterVariables>): OpenedAdapters => ({
  definitions: {
    readTriggers: noParser,
    expand: noParser,
    holds: () => left({ message: 'This server has no parser of definitions.', line: null, column: null }),
    close: async () => undefined,
  },
  git: undefined,
  close: async () => undefined,
});
