/** `run-name` of a workflow: what its runs are shown as. */
import { RunTitle } from '../../../../domain/workflow/run/events';
import { type FileNode, isNull } from '../file/nodes';
import { type Evaluation, evaluateNode, report } from './values';

const longestTitle = 300;
/** What no name may have: controls, and spaces of no width. */
const unseen = /[\p{Cc}\p{Cf}\s]+/gu;

/** Undefined: none, nothing is left of it, or a fault was reported. */
export const readTitle = (evaluation: Evaluation, node: FileNode | undefined): string | undefined => {
  if (node === undefined || isNull(node)) return undefined;
  const value = evaluateNode(evaluation, node);
  if (typeof value === 'object' && value !== null) return report(evaluation, node, '"run-name" must be text.');
  const text = String(value ?? '')
    .toWellFormed()
    .replace(unseen, ' ')
    .trim();
  const title = text.slice(0, longestTitle).toWellFormed().trim();
  return RunTitle.is(title) ? title : undefined;
};
