import { isLeft } from 'fp-ts/Either';
import { startRunner } from '../../src/index';
import { inDirectory } from './fixture';

/** Whether bubblewrap works here: without it a runner does not even register. */
export const canIsolate = async (): Promise<boolean> => {
  let reason = '';
  await inDirectory(async (directory) => {
    const started = await startRunner({ url: 'http://127.0.0.1:9', directory });
    reason = isLeft(started) ? started.left : '';
  });
  return !reason.includes('isolated');
};
