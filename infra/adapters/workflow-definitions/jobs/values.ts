/** Values of keys that are evaluated when a definition becomes jobs. Faults are collected, so that a run shows all of them. */
import { isLeft } from 'fp-ts/Either';
import type { DefinitionProblem } from '../../../../domain/workflow/run/events';
import { type Budget, type Expressions, templateParts } from '../../../../packages/workflow-expressions/src/index';
import type { ExpressionContexts } from '../../../ports/workflow/definitions';
import { type FileNode, type Place, problemAt, textOf } from '../file/nodes';

/** Of one job, or of one combination of its matrix. */
export interface Evaluation {
  readonly expressions: Expressions;
  readonly contexts: ExpressionContexts;
  /** Of the definition, or of one combination. */
  readonly budget: Budget;
  readonly problems: DefinitionProblem[];
}

export const report = ({ problems }: Evaluation, place: Place | undefined, message: string): undefined => {
  problems.push(problemAt(place, message));
  return undefined;
};

/** JSON with every expression evaluated; undefined after a fault. */
export const evaluateNode = (evaluation: Evaluation, node: FileNode): unknown => {
  switch (node.kind) {
    case 'scalar': {
      if (typeof node.value !== 'string' || node.expressionPlaces.length === 0) return node.value;
      const value = evaluation.expressions.evaluateTemplate(node.value, evaluation);
      return isLeft(value) ? report(evaluation, node.expressionPlaces[0] ?? node, `${value.left}.`) : value.right;
    }
    case 'sequence':
      return node.items.map((item) => evaluateNode(evaluation, item));
    case 'mapping':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, evaluateNode(evaluation, value)]));
  }
};

export const evaluateBoolean = (
  evaluation: Evaluation,
  node: FileNode | undefined,
  { name, fallback }: { readonly name: string; readonly fallback: boolean },
): boolean => {
  const value = node === undefined ? null : evaluateNode(evaluation, node);
  if (value === null || value === undefined) return fallback;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  report(evaluation, node, `"${name}" must be true or false.`);
  return fallback;
};

export interface NumberRule<Fallback> {
  readonly name: string;
  readonly fallback: Fallback;
  readonly least: number;
  readonly most: number;
}

/** Parts of a whole are rounded up. */
export const evaluateNumber = <Fallback extends number | null>(
  evaluation: Evaluation,
  node: FileNode | undefined,
  { name, fallback, least, most }: NumberRule<Fallback>,
): number | Fallback => {
  const value = node === undefined ? null : evaluateNode(evaluation, node);
  if (value === null || value === undefined) return fallback;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && number >= least && number <= most) return Math.ceil(number);
  report(evaluation, node, `"${name}" must be a number from ${least} to ${most}.`);
  return fallback;
};

/** Text as written, `${{ }}` included. */
export const writtenText = (
  evaluation: Evaluation,
  node: FileNode | undefined,
  { name, most }: { readonly name: string; readonly most: number },
): string | undefined => {
  const text = textOf(node);
  if (text === undefined || text.length <= most) return text;
  return report(evaluation, node, `"${name}" is longer than ${most} characters.`);
};

/** Whether any expression below refers to the context. */
export const refersTo = (expressions: Expressions, node: FileNode | undefined, context: string): boolean => {
  switch (node?.kind) {
    case undefined:
      return false;
    case 'scalar':
      return templateParts(textOf(node) ?? '').some((part) => {
        const used = part.kind === 'expression' ? expressions.references(part.text) : undefined;
        return used !== undefined && !isLeft(used) && used.right.contexts.has(context);
      });
    case 'sequence':
      return node.items.some((item) => refersTo(expressions, item, context));
    case 'mapping':
      return node.entries.some(({ value }) => refersTo(expressions, value, context));
  }
};
