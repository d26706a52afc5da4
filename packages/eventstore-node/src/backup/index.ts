/**
 * `@septet/eventstore-node/backup`: takes backups of a node's log, also while it is served, and restores them into an
 * empty directory.
 */
export { takeBackup } from './backup';
export { restoreBackup } from './restore';
