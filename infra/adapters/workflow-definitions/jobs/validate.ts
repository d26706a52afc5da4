/** Faults that GitHub's own parser finds: of the schema, of expressions and their contexts, of `needs`. */
import type { DefinitionProblem } from '../../../../domain/workflow/run/events';
import { problemAt } from '../file/nodes';
import type { ActionsLibrary } from '../library';

const mostErrors = 100;

/** The text must have been read within bounds: the parser has none of its own. */
export const validate = async (
  { parser }: ActionsLibrary,
  path: string,
  source: string,
): Promise<readonly DefinitionProblem[]> => {
  const trace = new parser.NoOperationTraceWriter();
  const { context, value } = parser.parseWorkflow({ name: path, content: source }, trace);
  if (value !== undefined && context.errors.getErrors().length === 0)
    await parser.convertWorkflowTemplate(context, value);
  return context.errors
    .getErrors()
    .slice(0, mostErrors)
    .map(({ rawMessage, range }) => problemAt(range?.start, rawMessage));
};
