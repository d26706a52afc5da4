/** How soon an edit of a small document is seen while others keep opening large ones that the same process has. */

import { percentile, report } from '../measure';
import { makeDocument, makeDocuments } from './documents/content';
import { nodeAt } from './documents/nodes';
import { openSetting } from './documents/stores';
import { openPair } from './loads/propagation';
import { type Opened, startStorm } from './loads/storm';

const nodes = { small: 100, large: 100_000 };
const documents = 24;
const processes = 4;
const edits = { warming: 50, calm: 150, storm: 300 };

const reportEdits = (name: string, times: readonly number[], calm?: readonly number[]): void => {
  const figure = (word: string, share: number): void => {
    const baseline = calm === undefined ? {} : { baseline: percentile(calm, share) };
    report({ name: `editor-storm.${name}.${word}`, value: percentile(times, share), unit: 'ms', ...baseline });
  };
  figure('p50', 0.5);
  figure('p99', 0.99);
  figure('worst', 1);
};

const reportOpened = (kind: Opened['kind'], all: readonly Opened[]): void => {
  const opened = all.filter((one) => one.kind === kind);
  if (opened.some((one) => one.nodes < nodes.large)) throw new Error('a document was not opened whole');
  const times = opened.map(({ milliseconds }) => milliseconds);
  report({ name: `editor-storm.opened.${kind}`, value: opened.length, unit: 'documents' });
  report({ name: `editor-storm.opened.${kind}.p50`, value: percentile(times, 0.5), unit: 'ms' });
};

export const run = async (): Promise<void> => {
  const setting = await openSetting();
  const { store, blobs, blobsDirectory, startEditor } = setting;
  const small = await makeDocument(store, blobs, nodes.small);
  const documentIds = await makeDocuments(setting, nodes.large, documents);
  const copy = await startEditor();
  const pair = await openPair(copy.port, small, nodeAt(1).id);
  await pair.edits(edits.warming);
  const calm = await pair.edits(edits.calm);
  const storm = await startStorm({ port: copy.port, blobsDirectory, documentIds }, processes);
  const stormy = await pair.edits(edits.storm);
  const opened = await storm.end();
  reportEdits('calm', calm);
  reportEdits('storm', stormy, calm);
  reportOpened('cold', opened);
  reportOpened('warm', opened);
  pair.close();
  await copy.kill('SIGTERM');
  await setting.close();
};
