/** Inputs that `workflow_dispatch` declares. */
import type { DefinitionProblem } from '../../../../domain/workflow/run/events';
import { type DispatchInput, fitsInput } from '../../../../domain/workflow/trigger/dispatch-inputs';
import { childOf, entriesOf, type FileNode, isNull, listOf, type MappingEntry, problemAt, textOf } from '../file/nodes';

const types = ['string', 'boolean', 'number', 'choice', 'environment'] as const;
const isType = (text: string | undefined): text is DispatchInput['type'] => types.some((type) => type === text);

interface ReadInputs {
  readonly inputs: readonly DispatchInput[];
  readonly problems: readonly DefinitionProblem[];
}

const mostInputs = 25;

const readInput = ({ key: name, value, ...place }: MappingEntry, problems: DefinitionProblem[]): DispatchInput => {
  const declared = textOf(childOf(value, 'type')) ?? 'string';
  const type = isType(declared) ? declared : 'string';
  const options = listOf(childOf(value, 'options')).map((node) => textOf(node) ?? '');
  const node = childOf(value, 'default');
  const defaultText = node === undefined || isNull(node) ? undefined : textOf(node);
  if (!isType(declared)) problems.push(problemAt(childOf(value, 'type'), `"${declared}" is not a type of input.`));
  if (type === 'choice' && options.length === 0)
    problems.push(problemAt(place, `The input "${name}" has no options to choose from.`));
  else if (defaultText !== undefined && !fitsInput({ type, options }, defaultText))
    problems.push(problemAt(node, `The default of the input "${name}" is not a value of its type, ${type}.`));
  const description = textOf(childOf(value, 'description'));
  return {
    name,
    description,
    type,
    required: textOf(childOf(value, 'required')) === 'true',
    default: defaultText,
    options,
  };
};

export const readInputs = (event: FileNode | undefined): ReadInputs => {
  const problems: DefinitionProblem[] = [];
  const entries = entriesOf(childOf(event, 'inputs'));
  if (entries.length > mostInputs)
    problems.push(problemAt(entries[mostInputs], `There are more than ${mostInputs} inputs.`));
  return { inputs: entries.slice(0, mostInputs).map((entry) => readInput(entry, problems)), problems };
};
