/** What GitHub runs and this platform does not yet: refused by name and place. */
import { isLeft } from 'fp-ts/Either';
import { BuiltInAction } from '../../../../domain/workflow/protocol/job-content';
import type { DefinitionProblem } from '../../../../domain/workflow/run/events';
import { type Expressions, templateParts } from '../../../../packages/workflow-expressions/src/index';
import type { ExpressionContexts } from '../../../ports/workflow/definitions';
import {
  childOf,
  entriesOf,
  entryOf,
  type FileNode,
  isNull,
  listOf,
  type Place,
  problemAt,
  type ScalarNode,
  textOf,
} from '../file/nodes';
import { targetEvent } from '../triggers/filters';
import { declaredEvents } from '../triggers/read-triggers';

const shorten = (text: string): string => (text.length > 100 ? `${text.slice(0, 99)}…` : text);

/** The action without its version; undefined for what is no built-in one. */
export const builtInAction = (uses: string): BuiltInAction | undefined => {
  const name = /^([^@]+)@[^@]+$/.exec(uses.trim())?.[1]?.toLowerCase();
  return BuiltInAction.is(name) ? name : undefined;
};

const refusedKeys: readonly (readonly [key: string, message: string])[] = [
  ['uses', 'Reusable workflows are not supported yet'],
  ['services', 'Service containers ("services") are not supported yet'],
  ['container', 'Jobs in a container ("container") are not supported yet'],
  ['environment', 'Environments ("environment") are not supported yet'],
  ['snapshot', 'Images of runners ("snapshot") are not supported'],
];

const refusedStepKeys = ['background', 'wait', 'wait-all', 'cancel', 'parallel'];

const stepRefusals = (job: string, step: FileNode): readonly DefinitionProblem[] => {
  const uses = entryOf(step, 'uses');
  const text = textOf(uses?.value);
  const action =
    uses === undefined || text === undefined || builtInAction(text) !== undefined
      ? []
      : [
          problemAt(
            uses.value,
            `The action "${shorten(text)}" in job "${job}" is not supported yet: only ${Object.keys(BuiltInAction.keys).join(', ')} are.`,
          ),
        ];
  const keys = refusedStepKeys
    .flatMap((key) => entryOf(step, key) ?? [])
    .map((entry) => problemAt(entry, `"${entry.key}" of a step in job "${job}" is not supported.`));
  return [...action, ...keys];
};

const jobRefusals = (key: string, job: FileNode): readonly DefinitionProblem[] => {
  const named = refusedKeys.flatMap(([name, message]) => {
    const entry = entryOf(job, name);
    return entry === undefined || isNull(entry.value) ? [] : [problemAt(entry, `${message}: job "${key}".`)];
  });
  const group = entryOf(childOf(job, 'runs-on'), 'group');
  const groups =
    group === undefined ? [] : [problemAt(group, `Groups of runners are not supported, only labels: job "${key}".`)];
  return [...named, ...groups, ...listOf(childOf(job, 'steps')).flatMap((step) => stepRefusals(key, step))];
};

/** Conditions need no `${{ }}`. */
const expressionsOf = (
  node: ScalarNode,
  isCondition: boolean,
): readonly { readonly text: string; readonly place: Place }[] => {
  const text = textOf(node) ?? '';
  if (isCondition && !text.includes('${{')) return [{ text, place: node }];
  return templateParts(text).flatMap((part) =>
    part.kind === 'expression' ? [{ text: part.text, place: node.expressionPlaces[part.index] ?? node }] : [],
  );
};

const secretUses = (expressions: Expressions, root: FileNode): readonly DefinitionProblem[] => {
  const problems: DefinitionProblem[] = [];
  const visit = (node: FileNode, isCondition: boolean): void => {
    if (node.kind === 'mapping') for (const { key, value } of node.entries) visit(value, key === 'if');
    else if (node.kind === 'sequence') for (const item of node.items) visit(item, false);
    else
      for (const { text, place } of expressionsOf(node, isCondition)) {
        const used = expressions.references(text);
        if (!isLeft(used) && used.right.contexts.has('secrets'))
          problems.push(problemAt(place, `Secrets are not supported yet: "${shorten(text)}".`));
      }
  };
  visit(root, false);
  return problems;
};

/** It would run the file of the base branch, with what the pull request must not have. */
const targetRefusals = (root: FileNode, eventName: unknown): readonly DefinitionProblem[] => {
  const events = declaredEvents(root);
  const target = events.find(({ name }) => name === targetEvent);
  if (eventName !== 'pull_request' || target === undefined || events.some(({ name }) => name === 'pull_request'))
    return [];
  return [problemAt(entryOf(root, 'on'), `"${targetEvent}" is not supported: "pull_request" is.`)];
};

export const findRefusals = (
  expressions: Expressions,
  root: FileNode,
  { github }: ExpressionContexts,
): readonly DefinitionProblem[] => [
  ...targetRefusals(root, (github as { readonly event_name?: unknown } | undefined)?.event_name),
  ...entriesOf(childOf(root, 'jobs')).flatMap(({ key, value }) => jobRefusals(key, value)),
  ...secretUses(expressions, root),
];
