/** Whether a node may name what it names as its main component. */

import { isMain, isShownWithin } from '../../components/cycle';
import { NodeId } from '../../ids';
import type { OutcomeReason } from '../../outcome';
import type { Effort } from '../effort';
import type { Scene, SceneNode } from '../scene';
import type { JsonRecord } from '../values';

interface Told {
  readonly properties: JsonRecord;
  readonly effort: Effort;
}

export const linkFault = (scene: Scene, node: SceneNode, told: Told): OutcomeReason | undefined => {
  const { properties, effort } = told;
  const main = properties.instanceOf;
  if (main === node.properties.instanceOf || !NodeId.is(main)) return undefined;
  if (!isMain(scene, main)) return 'component-unknown';
  return main === node.id || isShownWithin(scene, { start: node.id, goal: main }, effort)
    ? 'component-cycle'
    : undefined;
};
