/** The processes of places. */
import { runImportOnStarted } from './run-import-on-started/process';

export const processes = { runImportOnStarted };
