/**
 * Descriptors of one request that do not contradict each other are one question: together they say who asks, and all their limits are
 * decided at once. Those that do, weigh something else, or bring a limit of their own are questions of their own.
 */
import type { Question } from './descriptors';

export interface Group extends Question {
  /** Places of its descriptors. */
  readonly of: readonly number[];
}

const entriesOf = ({ said }: Question): readonly (readonly [string, string])[] => Object.entries(said);

const agrees = (group: Group, question: Question): boolean => {
  if (group.override !== undefined || question.override !== undefined) return false;
  if (group.isNegative !== question.isNegative) return false;
  if (group.hits !== question.hits || group.said.unit !== question.said.unit) return false;
  const known = new Map(entriesOf(group));
  return entriesOf(question).every(([meaning, value]) => (known.get(meaning) ?? value) === value);
};

export const groupsOf = (questions: readonly (Question | undefined)[]): readonly Group[] => {
  const groups: Group[] = [];
  questions.forEach((question, index) => {
    if (question === undefined) return;
    const at = groups.findIndex((group) => agrees(group, question));
    const group = groups[at];
    if (group === undefined) groups.push({ ...question, of: [index] });
    else groups[at] = { ...group, said: { ...group.said, ...question.said }, of: [...group.of, index] };
  });
  return groups;
};
