/** The processes of workflows. */
import { startRunsOnTriggerReceived } from './start-runs-on-trigger-received/process';

export const processes = { startRunsOnTriggerReceived };
