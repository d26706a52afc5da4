/** One embedder for a process, opened when it is first needed: fetching its model takes from seconds to minutes, and its child process memory. */
import { isLeft } from 'fp-ts/Either';
import type { Embedder } from '../../ports/files/embedder';
import type { Log } from '../../ports/runtime/log';
import type { ConfigOf } from '../../server/runtime/config';
import { type embedderVariables, openEmbedder } from './open-embedder';

export interface SharedEmbedder {
  /** Undefined: it is being opened, or cannot be. The call starts the opening. */
  readonly current: () => Embedder | undefined;
  readonly close: () => Promise<void>;
}

export const shareEmbedder = (
  config: ConfigOf<typeof embedderVariables>,
  log: Pick<Log, 'info' | 'warn'>,
): SharedEmbedder => {
  const closing = new AbortController();
  let opening: Promise<void> | undefined;
  let opened: Embedder | undefined;
  const open = async (): Promise<void> => {
    const found = await openEmbedder(config, {
      progress: (message, fields) => log.info({ ...fields }, message),
      signal: closing.signal,
    });
    if (isLeft(found)) log.warn({ ...found.left }, 'no embedding model can be used');
    else opened = found.right;
  };
  return {
    current: () => {
      opening ??= open();
      return opened;
    },
    close: async () => {
      closing.abort();
      await opening;
      await opened?.close();
    },
  };
};
