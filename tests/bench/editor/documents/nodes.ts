/** The document of the benches: pages of a hundred rectangles. */
import type { NodeId, OrderKey } from '../../../../domain/editor/ids';
import type { NodeType } from '../../../../domain/editor/operation';

export interface PlainNode {
  readonly id: NodeId;
  readonly type: NodeType;
  readonly parentId: NodeId | null;
  readonly orderKey: OrderKey;
  readonly properties: { readonly [name: string]: unknown };
}

const perPage = 100;
const idOf = (index: number): NodeId => `bench00000:${index + 1}` as NodeId;
const keyOf = (index: number): OrderKey => `a${index.toString(36).padStart(6, '0')}V` as OrderKey;

export const nodeAt = (index: number): PlainNode => {
  const page = index - (index % perPage);
  const isPage = page === index;
  return {
    id: idOf(index),
    type: isPage ? 'frame' : 'rect',
    parentId: isPage ? null : idOf(page),
    orderKey: keyOf(index),
    properties: {
      name: `Node ${index}`,
      transform: [1, 0, 0, 1, index % 1000, index % 700],
      opacity: 1,
      'style.fill': '#3366ff',
      'style.stroke': '#112233',
      'style.radius': 4,
    },
  };
};
