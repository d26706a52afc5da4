/** Filters below an event of `on`: branches, tags, paths, activities. */
import { isLeft } from 'fp-ts/Either';
import type { DefinitionProblem } from '../../../../domain/workflow/run/events';
import type { TriggerFacts } from '../../../ports/workflow/definitions';
import { entryOf, type FileNode, listOf, problemAt, textOf } from '../file/nodes';
import { type Glob, isSelected, parseGlob } from './glob';

const longestPattern = 1_000;
const filterNames = ['branches', 'tags', 'paths'] as const;
type FilterName = (typeof filterNames)[number];

interface Filter {
  readonly isIgnore: boolean;
  readonly globs: readonly Glob[];
}

export interface EventFilters {
  readonly filters: { readonly [Name in FilterName]?: Filter };
  /** Undefined: the default ones. */
  readonly activities: readonly string[] | undefined;
}

const readPattern = (node: FileNode, problems: DefinitionProblem[]): Glob | undefined => {
  const text = textOf(node);
  if (text === undefined || text.length > longestPattern) {
    problems.push(problemAt(node, `A pattern must be text of at most ${longestPattern} characters.`));
    return undefined;
  }
  const glob = parseGlob(text);
  if (isLeft(glob)) {
    problems.push(problemAt(node, `The pattern "${text}" is not valid: ${glob.left}.`));
    return undefined;
  }
  return glob.right;
};

const readFilter = (
  event: FileNode | undefined,
  name: FilterName,
  problems: DefinitionProblem[],
): Filter | undefined => {
  const [included, ignored] = [entryOf(event, name), entryOf(event, `${name}-ignore`)];
  if (included !== undefined && ignored !== undefined)
    problems.push(problemAt(ignored, `"${name}" and "${name}-ignore" exclude each other.`));
  const entry = included ?? ignored;
  if (entry === undefined) return undefined;
  const globs = listOf(entry.value).flatMap((node) => readPattern(node, problems) ?? []);
  return { isIgnore: included === undefined, globs };
};

export const readFilters = (
  event: FileNode | undefined,
): { readonly filters: EventFilters; readonly problems: readonly DefinitionProblem[] } => {
  const problems: DefinitionProblem[] = [];
  const types = entryOf(event, 'types');
  return {
    filters: {
      filters: {
        branches: readFilter(event, 'branches', problems),
        tags: readFilter(event, 'tags', problems),
        paths: readFilter(event, 'paths', problems),
      },
      activities: types === undefined ? undefined : listOf(types.value).map((node) => textOf(node) ?? ''),
    },
    problems,
  };
};

const passes = ({ isIgnore, globs }: Filter, text: string): boolean => isSelected(globs, text) !== isIgnore;

/** One changed file that passes is enough. Unknown files pass. */
const pathsPass = (filter: Filter | undefined, paths: readonly string[] | undefined): boolean =>
  filter === undefined || paths === undefined || paths.some((path) => passes(filter, path));

const nameIn = (ref: string, prefix: string, other: string): string =>
  ref.startsWith(prefix) ? ref.slice(prefix.length) : other;

/** A filter of tags alone leaves out branches, and the other way around. Paths mean nothing for tags. */
const pushMatches = ({ filters }: EventFilters, facts: TriggerFacts): boolean => {
  const { branches, tags, paths } = filters;
  if (facts.eventType === 'tag' || facts.ref.startsWith('refs/tags/')) {
    if (tags === undefined) return branches === undefined;
    return passes(tags, nameIn(facts.ref, 'refs/tags/', facts.branch));
  }
  const isBranch =
    branches === undefined ? tags === undefined : passes(branches, nameIn(facts.ref, 'refs/heads/', facts.branch));
  return isBranch && pathsPass(paths, facts.changedPaths);
};

const defaultActivities = ['opened', 'synchronize', 'reopened'];

/** Branches are those to be merged into. An activity that is not known counts as new commits. */
const pullRequestMatches = ({ filters, activities = defaultActivities }: EventFilters, facts: TriggerFacts): boolean =>
  activities.includes(facts.activity ?? 'synchronize') &&
  (filters.branches === undefined || passes(filters.branches, facts.baseBranch ?? '')) &&
  pathsPass(filters.paths, facts.changedPaths);

/** Runs of it are refused: a file with it must get a problem. */
export const targetEvent = 'pull_request_target';

/** The events below `on` that a trigger stands for. A tag is pushed. */
export const eventsOf = ({ eventType }: TriggerFacts): readonly string[] => {
  if (eventType === 'pull_request') return ['pull_request', targetEvent];
  return [eventType === 'tag' ? 'push' : eventType];
};

export const filtersMatch = (filters: EventFilters, facts: TriggerFacts): boolean => {
  switch (facts.eventType) {
    case 'push':
    case 'tag':
      return pushMatches(filters, facts);
    case 'pull_request':
      return pullRequestMatches(filters, facts);
    case 'workflow_dispatch':
    case 'schedule':
      return true;
  }
};
