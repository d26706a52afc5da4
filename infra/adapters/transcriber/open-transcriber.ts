/** The transcriber that the configuration names, one for a process. */
import { join } from 'node:path';
import { isLeft, right } from 'fp-ts/Either';
import type { Transcriber } from '../../ports/files/transcriber';
import type { Log } from '../../ports/runtime/log';
import { type ConfigOf, oneOfWords, variables, withDefault } from '../../server/runtime/config';
import { type LazyModel, openLazyModel } from '../../server/runtime/lazy-model';

export const transcriberVariables = {
  /** `whisper`: on this machine; `off`: speech is left out. */
  TRANSCRIBER: withDefault(oneOfWords('whisper', 'off'), 'whisper'),
  DATA_DIR: variables.DATA_DIR,
};

/** Undefined: off. */
export const shareTranscriber = (
  config: ConfigOf<typeof transcriberVariables>,
  log: Pick<Log, 'info' | 'warn'>,
): LazyModel<Transcriber> | undefined => {
  if (config.TRANSCRIBER === 'off') return undefined;
  return openLazyModel({
    open: async (signal) => {
      const { fetchWhisper } = require('./whisper/fetch-whisper') as typeof import('./whisper/fetch-whisper');
      const files = await fetchWhisper({
        tools: join(config.DATA_DIR, 'tools'),
        progress: (message, fields) => log.info({ ...fields }, message),
        signal,
      });
      if (isLeft(files)) return files;
      const { openWhisper } =
        require('./whisper/whisper-transcriber') as typeof import('./whisper/whisper-transcriber');
      return right(openWhisper(files.right));
    },
    log,
    unavailable: 'speech cannot be transcribed',
  });
};
