/** `@septet/eventstore-node/backup`: copies of a node's log, taken while it is served, and put into an empty directory. */
export { takeBackup } from './backup';
export { restoreBackup } from './restore';
