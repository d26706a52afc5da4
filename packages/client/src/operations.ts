/**
 * `@septet/client/operations`: operations one by one, so that a bundle has only the named ones.
 * `query(session, getPrincipal({ principalId }))` does what `client.getPrincipal({ principalId })` does.
 */
export {
  type CommandRequest,
  execute,
  follow,
  nextPage,
  type PageRequest,
  type QueryRequest,
  query,
  type StreamOptions,
  type StreamRequest,
} from './calls';
export * from './generated/operations';
export { openSession, type Session } from './session';
