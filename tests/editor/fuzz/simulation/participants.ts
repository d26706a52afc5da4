/** Copies of the editor, and people with engines at them. */
import type { Engine } from '../../../../packages/editor-engine/src/engine/engine';
import { openEngine } from '../../../../packages/editor-engine/src/engine/engine';
import type { Transport } from '../../../../packages/editor-engine/src/ports/transport';
import { openMemoryLocks } from '../../../../packages/editor-engine/src/storage/memory-locks';
import { openMemoryStore } from '../../../../packages/editor-engine/src/storage/memory-store';
import { snapshotLoader } from '../../../../packages/editor-engine/src/sync/snapshot-loader';
import type { Program } from './api-program';
import { type Lasting, openTab } from './browser-tab';
import { type Cable, connect, type Person } from './connections';
import { kill, type Process, startProcess } from './editor-process';
import { fetchFrom } from './snapshots';
import { place, stream, type World } from './world';

export interface Member extends Person {
  engine: Engine;
  /** Ends the page as it is. */
  die: () => void;
  readonly storage: Lasting;
}

export interface Crowd {
  readonly world: World;
  readonly processes: Process[];
  readonly members: Member[];
  readonly cables: Set<Cable>;
  readonly programs: Program[];
  started: number;
}

export const begin = (crowd: Crowd): void => {
  crowd.started += 1;
  crowd.processes.push(startProcess(crowd.world, `process-${crowd.started}`));
};

export const end = (crowd: Crowd, process: Process): void => {
  kill(process);
  crowd.processes.splice(crowd.processes.indexOf(process), 1);
};

/**
 * Mostly the document's owner, as the gateway would route; sometimes another process, which clients reach although the
 * owner may not.
 */
export const ledTo = ({ world, processes }: Crowd): Process | undefined => {
  const address = world.leases.get(stream)?.address;
  const holder = processes.find((process) => process.address === address);
  return holder !== undefined && (world.isCalm || world.chance() < 0.85)
    ? holder
    : processes[world.below(processes.length)];
};

interface Page {
  readonly engine: Engine;
  readonly die: () => void;
}

const openFor = async (crowd: Crowd, person: Person, storage: Lasting): Promise<Page> => {
  const { world, cables } = crowd;
  const [tab, own] = [openTab(world.time, storage), new Set<Cable>()];
  const fetch = fetchFrom(world);
  const load = snapshotLoader(fetch);
  const open: Transport['open'] = (_, listener) => {
    const cable = connect(world, [ledTo(crowd), person], listener);
    cables.add(cable);
    own.add(cable);
    return cable;
  };
  const engine = await openEngine({
    documentId: place.documentId,
    userId: person.userId,
    ...tab,
    transport: { open, fetch },
    loadSnapshot: (...snapshot) => world.time.meanwhile(load(...snapshot)),
  });
  engine.on((event) => (event.kind === 'notice' ? world.noticed.add(event.notice.opId) : undefined));
  const die = (): void => {
    tab.die();
    for (const cable of own) cable.cut();
  };
  return { engine, die };
};

const sit = async (crowd: Crowd, person: Person, storage: Lasting): Promise<void> => {
  crowd.members.push({ ...person, storage, ...(await openFor(crowd, person, storage)) });
};

export const arrive = (crowd: Crowd, person: Person): Promise<void> =>
  sit(crowd, person, { store: openMemoryStore(), locks: openMemoryLocks() });

/** Another page of the same person, on the same machine. */
export const arriveBeside = (crowd: Crowd, { userId, distance, storage, schema }: Member): Promise<void> =>
  sit(crowd, { userId, distance, ...(schema === undefined ? {} : { schema }) }, storage);

/** Closes the page and opens it again. */
export const reload = async (crowd: Crowd, member: Member): Promise<void> => {
  await member.engine.close();
  Object.assign(member, await openFor(crowd, member, member.storage));
};

/** Ends the page in the middle of whatever it does, and opens it again: what it kept is there, and must not be lost. */
export const crash = async (crowd: Crowd, member: Member): Promise<void> => {
  member.die();
  await recordOwed(crowd, member);
  Object.assign(member, await openFor(crowd, member, member.storage));
};

/** Pending operations of a page that ends are committed later, or their author is notified that they are not. */
export const recordOwed = async ({ world }: Crowd, { storage: { store } }: Member): Promise<void> => {
  for (const { clientId } of await store.clients())
    for (const { operation } of await store.pendingOf(clientId)) world.owed.add(operation.opId);
};

export const cut = ({ cables }: Crowd, userId: string | undefined): void => {
  for (const cable of [...cables]) {
    if (userId !== undefined && cable.userId !== userId) continue;
    cables.delete(cable);
    cable.cut();
  }
};
