/** A runner: registered once, with labels and the isolation that it declares. Heartbeats are not events. */
import { listOf, nameText, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import type { TenantId } from '../../kernel/ids';
import { RunnerId } from '../ids';
import { Isolation } from '../organization/events';
import { RunnerLabel, RunnerType } from '../run/events';

export const RunnerName = nameText('RunnerName', { maxLength: 100, examples: ['build-1'] });

export const runners = aggregate(
  { context: 'workflow', name: 'runner', id: RunnerId },
  {
    RunnerRegistered: {
      v: 1,
      data: {
        runnerId: RunnerId,
        name: RunnerName,
        type: RunnerType,
        labels: listOf('RunnerLabels', RunnerLabel, 50),
        isolation: Isolation,
        /** SHA-256 of its credential, in hexadecimal. */
        credentialDigest: text('CredentialDigest', { maxLength: 64, pattern: '[0-9a-f]{64}' }),
      },
    },
    /** No further jobs; running ones end. */
    RunnerDrained: { v: 1, data: { runnerId: RunnerId } },
    /** Its credential is worthless. */
    RunnerRemoved: { v: 1, data: { runnerId: RunnerId } },
  },
);
export type RunnerEvent = typeof runners.Event;

export const { stream: runnerStream } = runners;

type Registration = Extract<RunnerEvent, { type: 'RunnerRegistered' }>['data'];

/** What decides which jobs a runner may have. */
export interface AvailableRunner extends Pick<Registration, 'type' | 'labels' | 'isolation'> {
  /** Null: a managed one, for every tenant. */
  readonly tenantId: TenantId | null;
}
