/** `@septet/eventstore-node/transfer`: logs of any EventStoreDB as lines of JSON, and such lines into a server or a directory. */
export { importIntoDirectory } from './direct';
export { exportLog } from './export';
export { importLog } from './import';
export { openInput } from './input';
export { linesOf } from './lines';
export { openLog } from './read-log';
export { openServer, type Server } from './server';
export { toFile } from './sink';
export { readServer } from './source';
export { openTarget } from './target';
