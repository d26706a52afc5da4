/** The problem codes that an OpenAPI document of ours tells of, with what is said of each. */
import * as t from 'io-ts';
import type { OpenApi } from '../http/openapi';
import type { ProblemKind, ProblemTable } from '../http/problem';

const Titles = t.record(t.string, t.string);

interface Operation {
  readonly responses?: { readonly [status: string]: { readonly 'x-problems'?: unknown } };
}

const rowsOf = ({ responses = {} }: Operation): readonly (readonly [string, ProblemKind])[] =>
  Object.entries(responses).flatMap(([status, response]) => {
    const titles = response['x-problems'];
    if (!Titles.is(titles)) return [];
    return Object.entries(titles).map(([code, title]) => [code, { status: Number(status), title }] as const);
  });

export const problemsIn = ({ paths }: Pick<OpenApi, 'paths'>): ProblemTable => {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods) as Operation[]);
  return Object.fromEntries(operations.flatMap(rowsOf));
};
