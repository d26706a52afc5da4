/** Floor: an append of about the size of an edit's, on an idle log. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import { percentile } from '../../measure';
import type { Setting } from '../documents/stores';

const appends = 200;

const appendTo =
  ({ store }: Setting, stream: string) =>
  async (revision: number): Promise<number> => {
    const data = { text: 'x'.repeat(500) };
    const event = { id: randomUUID(), type: 'bench.Appended.v1', data, metadata: { padding: 'x'.repeat(300) } };
    const began = performance.now();
    const appended = await store.append(stream, revision < 0 ? 'no-stream' : revision, [event]);
    if (isLeft(appended)) throw new Error(JSON.stringify(appended.left));
    return performance.now() - began;
  };

/** One after the other without a pause, or at the pace of edits, between whose appends everything grows cold as well. */
export const appendMilliseconds = async (setting: Setting, pause: number): Promise<number> => {
  const times: number[] = [];
  const append = appendTo(setting, `bench.append-acme.${randomUUID()}`);
  for (let revision = -1; revision < appends; revision += 1) {
    if (pause > 0) await sleep(pause);
    times.push(await append(revision));
  }
  return percentile(times, 0.5);
};
