/** Fold of the log without the scene, for audits. */
import type { OperationLogEvent } from './events';

export interface OperationLogState {
  readonly epoch: number;
  readonly committedVersion: number;
  /** Null if there is no snapshot. */
  readonly snapshotVersion: number | null;
}

export const initialLogState: OperationLogState = { epoch: 0, committedVersion: 0, snapshotVersion: null };

export const evolveLog = (state: OperationLogState, event: OperationLogEvent): OperationLogState => {
  switch (event.type) {
    case 'OwnershipTaken':
      return { ...state, epoch: event.data.epoch };
    case 'OperationsCommitted':
      return { ...state, committedVersion: event.data.toVersion };
    case 'SnapshotTaken':
      return { ...state, snapshotVersion: event.data.snapshot.version };
    case 'ContentCopied': {
      const { version } = event.data.snapshot;
      return { ...state, committedVersion: version, snapshotVersion: version };
    }
  }
};
