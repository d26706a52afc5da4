/**
 * `@septet/eventstore-node`: starts a node on a data directory from a program. `eventstore-node serve` does the same as
 * a process.
 */
export { type RunningNode, type ServeOptions, startNode } from './server/node';
