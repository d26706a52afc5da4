/** Settings of owners with short intervals and timeouts. */
import { ownerSettings } from '../../../commands/editor/document-owner/settings';

export const snapshotsEvery = (operations: number) => ({
  operations,
  bytes: 1e6,
  minOperations: 1,
  maxBytes: 1e7,
  pauseMilliseconds: 0,
});

export const appendsFor = (retryMilliseconds: number) => ({
  ...ownerSettings.append,
  pauseMilliseconds: 1,
  retryMilliseconds,
});
