/** `concurrency` of a workflow or a job: a group, and whether the one that holds it ends for a newer one. */
import type { Concurrency } from '../../../../domain/workflow/run/events';
import { childOf, type FileNode, isNull } from '../file/nodes';
import { type Evaluation, evaluateBoolean, evaluateNode, report } from './values';

const longestGroup = 400;

/** Undefined: none, or a fault was reported. An expression without a value is no group. */
export const readConcurrency = (evaluation: Evaluation, node: FileNode | undefined): Concurrency | undefined => {
  if (node === undefined || isNull(node)) return undefined;
  const named = node.kind === 'mapping' ? childOf(node, 'group') : node;
  const value = named === undefined ? undefined : evaluateNode(evaluation, named);
  if (typeof value === 'object' && value !== null)
    return report(evaluation, named ?? node, 'The group of "concurrency" must be text.');
  const group = String(value ?? '').trim();
  if (group.length > longestGroup || !group.isWellFormed())
    return report(evaluation, named ?? node, `The group of "concurrency" is longer than ${longestGroup} characters.`);
  const cancelInProgress = evaluateBoolean(evaluation, childOf(node, 'cancel-in-progress'), {
    name: 'cancel-in-progress',
    fallback: false,
  });
  return group === '' ? undefined : { group, cancelInProgress };
};
