/** Guards of services: over a database that may be written, and over one that may be read only. */
import { left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import { openLogAnchors } from '../../../adapters/eventstore/log-anchors';
import { openLogRecord } from '../../../adapters/postgres/log-record';
import type { LogRecord } from '../../../ports/log-identity';
import type { Log } from '../../../ports/runtime/log';
import { endForAnotherLog } from '../end-for-another-log';
import { logAddress } from '../identify-log';
import { type LogGuard, openLogGuard } from '../log-guard';

/** The role that reads may look at the log's row only. The log is recorded by a process that writes. */
const readOnly = (record: LogRecord): LogRecord => ({
  ...record,
  furthestCheckpoint: async () => right(null),
  establish: async () => left(fault('view-store-unavailable', 'The log of this installation is not recorded yet.')),
  advance: async () => right(undefined),
});

export interface GuardedStores {
  readonly eventStoreUrl: string;
  readonly postgresUrl: string;
  readonly log: Log;
  /** Aborted when the process drains. */
  readonly signal?: AbortSignal | undefined;
}

export const guardLog = ({ eventStoreUrl, postgresUrl, log, signal }: GuardedStores, keepsAnchor = false): LogGuard =>
  openLogGuard({
    record: openLogRecord({ url: postgresUrl }),
    anchors: openLogAnchors(eventStoreUrl, signal),
    address: logAddress(eventStoreUrl),
    refuse: endForAnotherLog(log),
    keepsAnchor,
  });

/** `postgresUrl`: of the role that reads. */
export const guardReadLog = ({ eventStoreUrl, postgresUrl, log, signal }: GuardedStores): LogGuard =>
  openLogGuard({
    record: readOnly(openLogRecord({ url: postgresUrl })),
    anchors: openLogAnchors(eventStoreUrl, signal),
    address: logAddress(eventStoreUrl),
    refuse: endForAnotherLog(log),
  });
