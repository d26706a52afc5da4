/** What a log says of itself, without the scene that its operations make: that one is too large to be looked at event by event. */
import type { OperationLogEvent } from './events';

export interface OperationLogState {
  readonly epoch: number;
  readonly committedVersion: number;
  /** Of the newest snapshot; null: there is none. */
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
