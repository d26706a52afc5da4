/** `@septet/eventstore-node`: a node on a data directory, started from a program. `eventstore-node serve` is the same as a process. */
export { type RunningNode, type ServeOptions, startNode } from './server/node';
