/** Opening a document of 100,000 nodes: at a copy without it, at one that has it open, and by a client that was offline for a minute. */

import { percentile, report } from '../measure';
import type { Editor } from './contestants/contestant';
import { septet } from './contestants/septet';
import { makeDocument } from './documents/content';
import { openSetting } from './documents/stores';
import { type Joined, read } from './loads/open-document';

const nodes = 100_000;
const rounds = 5;
/** Ten a second. */
const editsOfAMinute = 600;

const reportJoins = (name: string, joined: readonly Joined[]): void => {
  const times = joined.map(({ milliseconds }) => milliseconds);
  report({ name: `editor-join.${name}.p50`, value: percentile(times, 0.5), unit: 'ms' });
  report({ name: `editor-join.${name}.worst`, value: Math.max(...times), unit: 'ms' });
  const bytes = joined.map((one) => one.bytes);
  report({ name: `editor-join.${name}.bytes`, value: percentile(bytes, 0.5), unit: 'bytes' });
};

const all = (joined: Joined): Joined => {
  if (joined.nodes < nodes) throw new Error(`only ${joined.nodes} nodes came`);
  return joined;
};

const editFor = async (editor: Editor, count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) await editor.edit(index);
};

export const run = async (): Promise<void> => {
  const setting = await openSetting();
  const { store, blobs, startEditor } = setting;
  const documentId = await makeDocument(store, blobs, nodes);
  const [cold, warm, away]: [Joined[], Joined[], Joined[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const copy = await startEditor();
    const reading = { blobs, documentId, known: 0 };
    cold.push(all(await read(copy.port, reading)));
    for (let count = 0; count < rounds; count += 1) warm.push(all(await read(copy.port, reading)));
    if (round === rounds - 1) {
      const editor = await septet(copy, documentId).join();
      const known = (await read(copy.port, reading)).version;
      await editFor(editor, editsOfAMinute);
      for (let count = 0; count < rounds; count += 1) away.push(await read(copy.port, { ...reading, known }));
      editor.close();
    }
    await copy.kill('SIGTERM');
  }
  reportJoins('cold', cold);
  reportJoins('warm', warm);
  reportJoins('away', away);
  await setting.close();
};
