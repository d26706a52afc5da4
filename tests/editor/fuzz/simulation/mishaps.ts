/** What goes wrong, and what people do besides editing. */
import { iterateNodes } from '../../../../domain/editor/scene/scene';
import { makeAnyEdit } from '../../../packages/editor-engine/simulation/any-edit';
import { sendRequest, write } from './api-writes';
import { nameVersion } from './named-versions';
import { arriveBeside, begin, type Crowd, crash, cut, end, reload } from './participants';

type Mishap = (crowd: Crowd) => Promise<void> | void;

const oneOf = <Thing>({ world }: Crowd, things: readonly Thing[]): Thing | undefined =>
  things[world.below(things.length)];

const cutOne: Mishap = (crowd) => cut(crowd, oneOf(crowd, crowd.members)?.userId);
const cutAll: Mishap = (crowd) => cut(crowd, undefined);

const killOne: Mishap = (crowd) => {
  const process = oneOf(crowd, crowd.processes);
  if (process !== undefined) end(crowd, process);
  crowd.world.time.schedule(crowd.world.below(400), () => begin(crowd));
};

/** As on a deployment: what waits is finished first. */
const drainOne: Mishap = (crowd) => {
  const process = oneOf(crowd, crowd.processes);
  process?.draining.abort();
  void process?.documents.close().then(() => {
    if (!crowd.processes.includes(process)) return;
    end(crowd, process);
    begin(crowd);
  });
};

/** Deletes all leases: the next process takes the document over while its owner works. */
const forgetLeases: Mishap = ({ world }) => world.leases.clear();

const apart =
  (what: 'isForgotten' | 'isCut'): Mishap =>
  (crowd) => {
    const process = oneOf(crowd, crowd.processes);
    if (process === undefined) return;
    process[what] = true;
    crowd.world.time.schedule(100 + crowd.world.below(1_500), () => {
      process[what] = false;
    });
  };

const reassign: Mishap = (crowd) => {
  const member = oneOf(crowd, crowd.members);
  if (member === undefined) return;
  crowd.world.assign(member.userId, oneOf(crowd, ['viewer', 'commenter'] as const));
  crowd.world.time.schedule(crowd.world.below(300), () => crowd.world.assign(member.userId, 'editor'));
};

/** Sent twice under one idempotency key, perhaps to two processes, a restore happens once. */
const restoreTwice: Mishap = (crowd) => {
  const { world, members } = crowd;
  const [one, other, member] = [oneOf(crowd, crowd.processes), oneOf(crowd, crowd.processes), oneOf(crowd, members)];
  const params = { version: String(world.below(world.committed + 1)) };
  const headers = { 'idempotency-key': `restore-${world.below(1e9)}` };
  const userId = member?.userId ?? 'u0';
  for (const process of world.chance() < 0.5 ? [one] : [one, other])
    if (process !== undefined)
      void sendRequest(world, process, { userId, operation: 'restoreVersion', body: {}, params, headers });
};

const link: Mishap = (crowd) => {
  const { engine } = oneOf(crowd, crowd.members) ?? {};
  const nodes = engine === undefined ? [] : [...iterateNodes(engine.scene())];
  const [one, other] = [oneOf(crowd, nodes), oneOf(crowd, nodes)];
  if (one === undefined || other === undefined) return;
  engine?.set([one.id], { set: { component: true } });
  engine?.set([other.id], { set: { instanceOf: one.id } });
};

const comeBack: Mishap = (crowd) => {
  const member = oneOf(crowd, crowd.members);
  return member === undefined ? undefined : reload(crowd, member);
};

const breakDown: Mishap = (crowd) => {
  const member = oneOf(crowd, crowd.members);
  // In the same turn as an edit, before that is kept, or after it.
  if (member !== undefined && crowd.world.chance() < 0.5) makeAnyEdit(member.engine, crowd.world.chance);
  return member === undefined ? undefined : crash(crowd, member);
};

const most = 10;

const openBeside: Mishap = (crowd) => {
  const member = oneOf(crowd, crowd.members);
  return member === undefined || crowd.members.length >= most ? undefined : arriveBeside(crowd, member);
};

const point: Mishap = (crowd) => {
  const { world } = crowd;
  for (const { engine } of crowd.members)
    if (world.chance() < 0.6) engine.setPresence({ cursor: { x: world.below(1e6), y: world.below(1e6) } });
};

const program: Mishap = (crowd) => {
  const one = oneOf(crowd, crowd.programs);
  return one === undefined ? undefined : write(crowd, one);
};

const all = [
  ...[cutOne, cutOne, cutAll, killOne, killOne, drainOne, forgetLeases, forgetLeases, apart('isForgotten')],
  ...[apart('isCut'), reassign, restoreTwice, link, link, comeBack, breakDown, breakDown, openBeside],
  ...[point, point, program, program, program, program, nameVersion],
];

export const disturb = (crowd: Crowd): Promise<void> | void => oneOf(crowd, all)?.(crowd);
