/** A Valkey cluster of a test's own: three masters with a third of the slots each, and a copy of the first. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { freePort } from '../../../infra/operate/launch/free-port';
import { eventually } from '../waiting/eventually';
import { type DedicatedValkey, startDedicatedValkey } from './dedicated-valkey';

export interface DedicatedCluster {
  readonly masters: readonly DedicatedValkey[];
  readonly copy: DedicatedValkey;
  readonly urls: readonly string[];
  /** A hash tag, new each time, whose keys lie with that master at first. */
  readonly tagOn: (master: number) => Promise<string>;
  readonly slotOf: (key: string) => Promise<number>;
  readonly idOf: (node: DedicatedValkey) => Promise<string>;
  readonly stop: () => Promise<void>;
}

const slots = 16_384;
const masterCount = 3;
const firstSlot = (master: number): number => Math.ceil((master * slots) / masterCount);

const startNode = async () => {
  const bus = String(await freePort());
  const node = await startDedicatedValkey(
    '--cluster-enabled',
    'yes',
    '--cluster-port',
    bus,
    '--cluster-node-timeout',
    '2000',
  );
  return { node, bus };
};

const idOf = async ({ admin }: DedicatedValkey): Promise<string> => String(await admin.cluster('MYID'));

const join = async (nodes: readonly { readonly node: DedicatedValkey; readonly bus: string }[]): Promise<void> => {
  const [first, ...others] = nodes;
  for (const [epoch, { node }] of nodes.entries()) await node.admin.call('CLUSTER', 'SET-CONFIG-EPOCH', epoch + 1);
  for (const { node, bus } of others)
    await first?.node.admin.call('CLUSTER', 'MEET', '127.0.0.1', String(node.port), bus);
};

const untilAll = (nodes: readonly DedicatedValkey[], holds: (info: string) => boolean): Promise<void> =>
  eventually(async () => {
    for (const { admin } of nodes) assert.ok(holds(String(await admin.cluster('INFO'))));
  });

export const startDedicatedCluster = async (): Promise<DedicatedCluster> => {
  const started = await Promise.all(Array.from({ length: masterCount + 1 }, startNode));
  const nodes = started.map(({ node }) => node);
  const masters = nodes.slice(0, masterCount);
  const [first, copy] = [masters[0], nodes[masterCount]];
  assert.ok(first !== undefined && copy !== undefined);
  for (const [at, { admin }] of masters.entries())
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', firstSlot(at), firstSlot(at + 1) - 1);
  await join(started);
  await untilAll(nodes, (info) => info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:4'));
  const id = await idOf(first);
  await eventually(() => copy.admin.call('CLUSTER', 'REPLICATE', id));
  await eventually(async () => assert.match(await copy.admin.info('replication'), /master_link_status:up/));
  const slotOf = async (key: string): Promise<number> => Number(await copy.admin.cluster('KEYSLOT', key));
  const tagOn = async (master: number): Promise<string> => {
    for (;;) {
      const tag = `{${randomUUID()}}`;
      const slot = await slotOf(tag);
      if (slot >= firstSlot(master) && slot < firstSlot(master + 1)) return tag;
    }
  };
  return {
    masters,
    copy,
    urls: nodes.map(({ url }) => url),
    tagOn,
    slotOf,
    idOf,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
};
