/** A random edit, chosen by a number. */
import type { NodeId } from '../../../../domain/editor/ids';
import { iterateNodes, type SceneNode } from '../../../../domain/editor/scene/scene';
import type { Engine } from '../../../../packages/editor-engine/src/engine/engine';

type Chance = () => number;

const some = (engine: Engine, chance: Chance): SceneNode | undefined => {
  const nodes = [...iterateNodes(engine.scene())].sort((one, other) => (one.id < other.id ? -1 : 1));
  return nodes[Math.floor(chance() * nodes.length)];
};

const within = (engine: Engine, chance: Chance): NodeId | null =>
  chance() < 0.5 ? null : (some(engine, chance)?.id ?? null);

const types = ['frame', 'rect', 'text'] as const;

const create = (engine: Engine, chance: Chance): void => {
  const type = types[Math.floor(chance() * types.length)] ?? 'rect';
  engine.create([{ type, parentId: within(engine, chance), properties: { opacity: chance() } }]);
};

const set = (engine: Engine, chance: Chance): void => {
  const node = some(engine, chance);
  const name = ['fill', 'radius', 'style.stroke'][Math.floor(chance() * 3)] ?? 'fill';
  if (node !== undefined) engine.set([node.id], { set: { [name]: Math.floor(chance() * 1000) } });
};

const transform = (engine: Engine, chance: Chance): void => {
  const node = some(engine, chance);
  if (node !== undefined) engine.transform({ [node.id]: [1, 0, 0, 1, Math.floor(chance() * 100), 0] });
};

const move = (engine: Engine, chance: Chance): void => {
  const node = some(engine, chance);
  if (node !== undefined) engine.move([{ id: node.id, parentId: within(engine, chance) }]);
};

const remove = (engine: Engine, chance: Chance): void => {
  const node = chance() < 0.4 ? some(engine, chance) : undefined;
  if (node !== undefined) engine.remove([node.id]);
};

const type = (engine: Engine, chance: Chance): void => {
  const node = [...iterateNodes(engine.scene())].find((one) => one.type === 'text');
  if (node === undefined) return;
  engine.type(node.id, (text) => {
    const at = Math.floor(chance() * (text.length + 1));
    if (chance() < 0.3 && at < text.length) text.delete(at, 1);
    else text.insert(at, 'abcdefg'.slice(0, 1 + Math.floor(chance() * 6)));
  });
};

const atomic = (engine: Engine, chance: Chance): void => {
  engine.transactAtomic(() => {
    create(engine, chance);
    transform(engine, chance);
    move(engine, chance);
  });
};

const undo = (engine: Engine): void => void engine.undo();
const redo = (engine: Engine): void => void engine.redo();

const all = [create, create, create, set, set, transform, move, move, remove, type, type, atomic, undo, redo];

export const makeAnyEdit = (engine: Engine, chance: Chance): void =>
  all[Math.floor(chance() * all.length)]?.(engine, chance);
