/** Which events start a workflow. Jobs are not looked at: their faults belong to the run. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DefinitionProblem } from '../../../../domain/workflow/run/events';
import type { DefinitionTriggers, TriggerFacts } from '../../../ports/workflow/definitions';
import { childOf, entriesOf, entryOf, type FileNode, listOf, problemAt, textOf } from '../file/nodes';
import { readFile } from '../file/read-file';
import { readInputs } from './dispatch-inputs';
import { eventsOf, filtersMatch, readFilters } from './filters';

interface DeclaredEvent {
  readonly name: string;
  readonly node: FileNode | undefined;
}

/** `on` is one name, a list of names, or a mapping of names to filters. */
export const declaredEvents = (root: FileNode): readonly DeclaredEvent[] => {
  const on = childOf(root, 'on');
  if (on?.kind === 'mapping') return entriesOf(on).map(({ key, value }) => ({ name: key, node: value }));
  return listOf(on).map((node) => ({ name: textOf(node) ?? '', node: undefined }));
};

const longestName = 300;

const nameOf = (root: FileNode): string | undefined => {
  const name = textOf(childOf(root, 'name'))?.trim();
  return name === undefined || name === '' ? undefined : name.slice(0, longestName);
};

export const readTriggers = (
  yaml: Uint8Array,
  facts: TriggerFacts,
): Either<readonly DefinitionProblem[], DefinitionTriggers> => {
  const file = readFile(yaml);
  if (isLeft(file)) return file;
  const { root } = file.right;
  if (root.kind !== 'mapping') return left([problemAt(root, 'A workflow is a mapping with "on" and "jobs".')]);
  if (entryOf(root, 'on') === undefined)
    return left([problemAt(root, 'The workflow names no event: "on" is missing.')]);
  const events = declaredEvents(root);
  const problems: DefinitionProblem[] = [];
  let matches = false;
  for (const { node } of events.filter(({ name }) => eventsOf(facts).includes(name))) {
    const read = readFilters(node);
    problems.push(...read.problems);
    matches ||= filtersMatch(read.filters, facts);
  }
  const { inputs, problems: faulty } = readInputs(events.find(({ name }) => name === 'workflow_dispatch')?.node);
  problems.push(...faulty);
  return problems.length > 0 ? left(problems) : right({ name: nameOf(root), matches, inputs });
};
