/** Cost of presence among a hundred clients; compared with a server that rebroadcasts each message at once. */
import type { WebSocket } from 'ws';
import type { DocumentId } from '../../../domain/editor/ids';
import type { EditorProcess } from '../../contracts/editor/sessions/fixture';
import { startListening } from '../../support/servers/event-store-node';
import { percentile, report } from '../measure';
import { opened } from './contestants/contestant';
import { openDocumentSocket } from './contestants/septet';
import { firstVersion, makeDocument } from './documents/content';
import { openSetting, type Setting } from './documents/stores';
import { type Crowd, type Wandered, wander } from './loads/presence';

const people = 100;
const perSecond = 15;
const milliseconds = { warming: 2_000, measured: 8_000 };
/**
 * The rival that broadcasts each word at once is measured with this share of the people, and its cost is multiplied: it
 * cannot serve all.
 */
const share = 10;

interface CrowdOptions {
  readonly copies: number;
  readonly capabilities: readonly string[];
}

const join = async (socket: WebSocket, documentId: DocumentId, capabilities: readonly string[]): Promise<WebSocket> => {
  const about = { documentId, lastCommittedVersion: firstVersion, capabilities };
  socket.send(JSON.stringify({ type: 'join', ...about }));
  await new Promise((resolve) => socket.once('message', resolve));
  return socket;
};

/** The first copy owns the document; the others forward their requests to it. */
const crowdOf = async (
  copies: readonly EditorProcess[],
  documentId: DocumentId,
  { capabilities }: CrowdOptions,
): Promise<Crowd> => {
  const sockets: WebSocket[] = [];
  while (sockets.length < people) {
    const { port } = copies[sockets.length % copies.length] as EditorProcess;
    const socket = await openDocumentSocket(port, documentId, sockets.length % 2 === 0 ? 'ada' : 'bob');
    sockets.push(await join(socket, documentId, capabilities));
  }
  return { sockets, pids: copies.map(({ pid }) => pid) };
};

const measured = async (crowd: Crowd, pace: number): Promise<Wandered> => {
  await wander(crowd, { perSecond: pace, milliseconds: milliseconds.warming });
  const found = await wander(crowd, { perSecond: pace, milliseconds: milliseconds.measured });
  for (const socket of crowd.sockets) socket.terminate();
  return found;
};

const naive = async (): Promise<Wandered> => {
  const { child, port } = await startListening(['tests/bench/editor/contestants/rebroadcast.main.ts']);
  const sockets: WebSocket[] = [];
  while (sockets.length < people) sockets.push(await opened(`ws://127.0.0.1:${port}`));
  const found = await measured({ sockets, pids: [child.pid as number] }, perSecond / share);
  child.kill('SIGKILL');
  const { cpu, sent, sentBytes, frames, bytes, times } = found;
  const all = { sent: sent * share, sentBytes: sentBytes * share, frames: frames * share, bytes: bytes * share };
  return { cpu: cpu.map((spent) => spent * share), ...all, times };
};

const own = async ({ store, blobs, startEditor }: Setting, options: CrowdOptions): Promise<Wandered> => {
  const documentId = await makeDocument(store, blobs, 100);
  const editors: EditorProcess[] = [];
  while (editors.length < options.copies) editors.push(await startEditor());
  const found = await measured(await crowdOf(editors, documentId, options), perSecond);
  for (const { kill } of editors) await kill('SIGTERM');
  return found;
};

const reportCrowd = (name: string, found: Wandered, rival: Wandered): void => {
  const figure = (word: string, of: (wandered: Wandered) => number, unit: string): void =>
    report({ name: `editor-presence.${name}.${word}`, value: of(found), unit, baseline: of(rival) });
  figure('cpu', ({ cpu }) => cpu[0] ?? 0, '% of a core');
  for (const spent of found.cpu.slice(1))
    report({ name: `editor-presence.${name}.passing.cpu`, value: spent, unit: '% of a core' });
  figure('said', ({ sent }) => sent, 'messages/s');
  figure('in', ({ sentBytes }) => sentBytes, 'bytes/s');
  figure('out', ({ bytes }) => bytes, 'bytes/s');
  figure('client.in', ({ bytes }) => bytes / people, 'bytes/s');
  figure('client.frames', ({ frames }) => frames / people, 'frames/s');
  report({ name: `editor-presence.${name}.seen.p50`, value: percentile(found.times, 0.5), unit: 'ms' });
  report({ name: `editor-presence.${name}.seen.p99`, value: percentile(found.times, 0.99), unit: 'ms' });
};

export const run = async (): Promise<void> => {
  const setting = await openSetting();
  const rival = await naive();
  // As the engine has it, then as clients have it that know no more than they must.
  const capabilities = ['schema:2', 'presence:moved'];
  reportCrowd('one', await own(setting, { copies: 1, capabilities }), rival);
  reportCrowd('two', await own(setting, { copies: 2, capabilities }), rival);
  reportCrowd('whole', await own(setting, { copies: 1, capabilities: ['schema:2'] }), rival);
  await setting.close();
};
