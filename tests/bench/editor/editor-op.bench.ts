/** Server cost and acknowledgement latency of an edit, by nodes and clients; compared with ShareDB and Hocuspocus. */

import { percentile, report } from '../measure';
import { type Contestant, cpuNanoseconds } from './contestants/contestant';
import { startHocuspocus } from './contestants/hocuspocus';
import { septet } from './contestants/septet';
import { startSharedb } from './contestants/sharedb';
import { makeDocument } from './documents/content';
import { openSetting, type Setting } from './documents/stores';
import { appendMilliseconds } from './loads/append';
import { type Found, measured, perSecond, warm } from './loads/edits';

const sizes = { '1k': 1_000, '10k': 10_000, '100k': 100_000, '1m': 1_000_000 } as const;
type Size = keyof typeof sizes;
export const parts = [...Object.keys(sizes), 'flat'];

const crowds = [1, 10, 30, 100];
/** Each client that joins makes an edit, for which ShareDB copies the whole document. */
const mostRivals = {
  sharedb: { '1k': 100, '10k': 100, '100k': 10, '1m': 0 },
  hocuspocus: { '1k': 100, '10k': 100, '100k': 100, '1m': 0 },
} as const;
const leftOut = {
  sharedb: 'it ends after some minutes: a million nodes do not fit into the heap that Node gives it',
  hocuspocus: 'it was not ready with a million nodes after ten minutes',
};

const durability = {
  septet: 'acknowledged when the log has it on disk',
  sharedb: 'acknowledged in memory: its own store, which is lost with the process',
  hocuspocus: 'acknowledged in memory: stored later, by an extension that is not there',
};

const startSeptet = async (setting: Setting, nodes: number): Promise<Contestant> => {
  const documentId = await makeDocument(setting.store, setting.blobs, nodes);
  return septet(await setting.startEditor(), documentId);
};

const reportEdits = (name: string, found: Found, floors: { readonly cpu?: number; readonly p50?: number }): void => {
  const { cpuMicroseconds, p50, p99, edits } = found;
  report({ name: `${name}.cpu`, value: cpuMicroseconds, unit: 'us/edit', ...(floors.cpu && { baseline: floors.cpu }) });
  report({ name: `${name}.ack.p50`, value: p50, unit: 'ms', ...(floors.p50 && { baseline: floors.p50 }) });
  report({ name: `${name}.ack.p99`, value: p99, unit: 'ms' });
  report({ name: `${name}.measured`, value: edits, unit: 'edits' });
};

const ofAll = async (contestant: Contestant, most: number = Number.POSITIVE_INFINITY): Promise<readonly Found[]> => {
  const found: Found[] = [];
  await warm(contestant, most);
  for (const crowd of crowds) if (crowd <= most) found.push(await measured(contestant, crowd));
  await contestant.close();
  return found;
};

const rivalled = async (
  name: keyof typeof mostRivals,
  size: Size,
  start: (nodes: number) => Promise<Contestant>,
): Promise<readonly Found[]> => {
  const most = mostRivals[name][size];
  if (most > 0) return ofAll(await start(sizes[size]), most);
  console.log(JSON.stringify({ name: `editor-op.${name}.${size}`, leftOut: leftOut[name] }));
  return [];
};

const compare = async (setting: Setting, size: Size): Promise<void> => {
  const nodes = sizes[size];
  const [tight, append] = [await appendMilliseconds(setting, 0), await appendMilliseconds(setting, 1_000 / perSecond)];
  report({ name: `editor-op.${size}.append.p50`, value: append, unit: 'ms' });
  report({ name: `editor-op.${size}.append-after-append.p50`, value: tight, unit: 'ms' });
  const rivals = {
    sharedb: await rivalled('sharedb', size, startSharedb),
    hocuspocus: await rivalled('hocuspocus', size, startHocuspocus),
  };
  const stored = cpuNanoseconds(setting.nodePid);
  const own = await ofAll(await startSeptet(setting, nodes));
  const edits = own.reduce((sum, found) => sum + found.edits, 0);
  for (const [index, crowd] of crowds.entries()) {
    const at = `${size}.clients${crowd}`;
    const [found, sharedb, hocuspocus] = [own[index], rivals.sharedb[index], rivals.hocuspocus[index]];
    if (found !== undefined)
      reportEdits(`editor-op.septet.${at}`, found, {
        ...(sharedb && { cpu: sharedb.cpuMicroseconds }),
        p50: append,
      });
    if (sharedb !== undefined) reportEdits(`editor-op.sharedb.${at}`, sharedb, {});
    if (hocuspocus !== undefined) reportEdits(`editor-op.hocuspocus.${at}`, hocuspocus, {});
  }
  const store = (cpuNanoseconds(setting.nodePid) - stored) / 1_000 / edits;
  report({ name: `editor-op.septet.${size}.log.cpu`, value: store, unit: 'us/edit' });
};

const rounds = 5;
const flatCrowd = 10;

/** All sizes in turns, a process each: what the machine does beside it falls on all of them alike. */
const flat = async (setting: Setting): Promise<void> => {
  const all: { readonly size: string; readonly contestant: Contestant; readonly found: Found[] }[] = [];
  for (const [size, nodes] of Object.entries(sizes)) {
    const contestant = await startSeptet(setting, nodes);
    await warm(contestant);
    all.push({ size, contestant, found: [] });
  }
  for (let round = 0; round < rounds; round += 1)
    for (const { contestant, found } of all) found.push(await measured(contestant, flatCrowd));
  const [least] = all;
  const middle = (found: readonly Found[], of: 'cpuMicroseconds' | 'p50'): number =>
    percentile(
      found.map((one) => one[of]),
      0.5,
    );
  for (const { size, found, contestant } of all) {
    for (const [of, name, unit] of [
      ['cpuMicroseconds', 'cpu', 'us/edit'],
      ['p50', 'ack.p50', 'ms'],
    ] as const) {
      const baseline = middle(least?.found ?? [], of);
      report({ name: `editor-op.flat.${size}.${name}`, value: middle(found, of), unit, baseline });
    }
    await contestant.close();
  }
};

export const run = async (chosen: readonly string[]): Promise<void> => {
  console.log(JSON.stringify({ name: 'editor-op.durability', ...durability }));
  const setting = await openSetting();
  if (chosen.length === 0 || chosen.includes('flat')) await flat(setting);
  for (const size of Object.keys(sizes) as Size[])
    if (chosen.length === 0 || chosen.includes(size)) await compare(setting, size);
  await setting.close();
};
