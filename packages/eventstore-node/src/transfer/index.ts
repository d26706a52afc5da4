/**
 * `@septet/eventstore-node/transfer`: exports the log of any EventStoreDB as lines of JSON, and imports such lines into
 * a server or a directory.
 */

export { exportLog, toFile } from './export-log';
export type { LoggedEvent } from './format/event-line';
export { type ExportedLog, openLog } from './format/exported-log';
export { linesOf } from './format/read-lines';
export { importLog } from './import-log';
export { importIntoDirectory } from './offline-import';
export { readOfflineLog } from './offline-read';
export { openInput } from './open-export';
export { openServer, type Server } from './server/connection';
export { openTarget } from './server/import-target';
export { readServer } from './server/read-log';
export { TransferError } from './transfer-error';
