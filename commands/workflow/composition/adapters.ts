/** The parser of definitions, repositories and logs of the workflow service. */
import { left } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import { anyText, type ConfigOf, withDefault } from '../../../infra/runtime/config';
import type { WorkflowPlatform } from '../platform';

export const adapterVariables = {
  /** Bare repositories, a directory each. */
  REPOSITORIES_DIR: withDefault(anyText, '.data/repositories'),
};

export type OpenedAdapters = Pick<WorkflowPlatform, 'definitions' | 'git' | 'logs'> & {
  readonly close: () => Promise<unknown>;
};

const noParser = async () => left(fault('definition-parser-unavailable', 'This server has no parser of definitions.'));
const noLogs = async () => left(fault('log-store-unavailable', 'This server stores no logs.'));

/** What this build does not have yet answers with a fault: runs end as failures whose problem says so. */
export const openAdapters = (_values: ConfigOf<typeof adapterVariables>): OpenedAdapters => ({
  definitions: {
    readTriggers: noParser,
    expand: noParser,
    holds: () => left({ message: 'This server has no parser of definitions.', line: null, column: null }),
    close: async () => undefined,
  },
  git: undefined,
  logs: {
    append: noLogs,
    read: noLogs,
    end: noLogs,
    watch: () => ({ close: () => undefined }),
    close: async () => undefined,
  },
  close: async () => undefined,
});
