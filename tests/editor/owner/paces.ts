/** What owners do seldom, done often here, and what they wait for long, given up soon. */
import { ownerSettings } from '../../../commands/editor/owner/settings';

export const snapshotsEvery = (operations: number) => ({
  ...{ operations, bytes: 1e6, leastOperations: 1, mostBytes: 1e7 },
  pauseMilliseconds: 0,
});

export const appendsFor = (patienceMilliseconds: number) => ({
  ...ownerSettings.append,
  ...{ pauseMilliseconds: 1, patienceMilliseconds },
});
