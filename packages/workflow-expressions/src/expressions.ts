/** Expressions by `@actions/expressions`, which reads them, and by `evaluate-tree.ts`, which evaluates them within bounds. */
import type { Expr } from '@actions/expressions/ast' with { 'resolution-mode': 'import' };
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Budget, checkLength, limits } from './budget';
import { evaluateTree } from './evaluate-tree';
import { commonFunctions, type ExpressionFunction } from './functions';
import { conditionExpression, hasUnclosedExpression, templateParts } from './templates';
import { fieldOf, isObject, isTruthy, type Json, toText } from './values';

/** Of the library, what reads expressions. */
export type ExpressionLibrary = Pick<
  typeof import('@actions/expressions', { with: { 'resolution-mode': 'import' }}),
  'Lexer' | 'Parser'
>;

/** What status functions look at: steps before this one, or jobs that this one needs. */
export interface Status {
  readonly isSuccess: boolean;
  readonly hasFailure: boolean;
  readonly isCanceled: boolean;
}

export interface Scope {
  /** JSON by names in lower case: `github`, `env`, `needs`, … */
  readonly contexts: { readonly [name: string]: unknown };
  /** Left out: everything has succeeded. */
  readonly status?: Status;
  /** The value of `hashFiles` with these patterns. Undefined: there is none yet. Left out: there are no files. */
  readonly hashFiles?: (patterns: readonly string[]) => string | undefined;
  /** Called with each property that a context of the system does not have, as `github.actr`. */
  readonly unknown?: (property: string) => void;
  readonly budget: Budget;
}

/** What an expression refers to, without evaluating it. Names in lower case. */
export interface References {
  readonly contexts: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
}

/** Left: why there is no value, or which bound is exceeded; a sentence without its point. */
export interface Expressions {
  readonly references: (expression: string) => Either<string, References>;
  /** JSON. */
  readonly evaluate: (expression: string, scope: Scope) => Either<string, unknown>;
  /** The value of a text that is one expression; else the text with the values in their places. */
  readonly evaluateTemplate: (text: string, scope: Scope) => Either<string, unknown>;
  /** The text with the values in their places. */
  readonly interpolate: (text: string, scope: Scope) => Either<string, string>;
  /** Whether an `if` holds, with `${{ }}` or without. Null is `success()`, which every condition without a status function also needs. */
  readonly holds: (condition: string | null, scope: Scope) => Either<string, boolean>;
}

const contextNames = [
  'github',
  'env',
  'vars',
  'job',
  'jobs',
  'steps',
  'runner',
  'secrets',
  'strategy',
  'matrix',
  'needs',
  'inputs',
];

const statusNames = ['success', 'failure', 'always', 'cancelled'] as const;
const mostArguments = 255;

const succeeded: Status = { isSuccess: true, hasFailure: false, isCanceled: false };

/** Operations that every expression costs, however short. */
const expressionCost = 64;

const longestMessage = 400;

const messageOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;
};

const guarded = <Value>(run: () => Value): Either<string, Value> => {
  try {
    return right(run());
  } catch (error) {
    return left(messageOf(error));
  }
};

const childrenOf = (node: object): readonly object[] =>
  Object.values(node)
    .flat()
    .filter((child): child is object => typeof child === 'object' && child !== null && 'accept' in child);

const lexemeIn = (node: object, field: string): string | undefined => {
  const token = (node as Record<string, unknown>)[field];
  return typeof token === 'object' && token !== null && 'lexeme' in token
    ? String(token.lexeme).toLowerCase()
    : undefined;
};

const referencesOf = (tree: Expr): References => {
  const contexts = new Set<string>();
  const functions = new Set<string>();
  const open: object[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const context = lexemeIn(node, 'name');
    const called = lexemeIn(node, 'functionName');
    if (context !== undefined) contexts.add(context);
    if (called !== undefined) functions.add(called);
    open.push(...childrenOf(node));
  }
  return { contexts, functions };
};

/** Results of needed jobs, for `success('job')`. */
const resultOf = ({ contexts, budget }: Scope, key: Json): Json | undefined => {
  const needs = contexts.needs as Json | undefined;
  const job = needs !== undefined && isObject(needs) ? fieldOf(needs, toText(key), budget) : undefined;
  return job !== undefined && isObject(job) ? fieldOf(job, 'result', budget) : undefined;
};

const ownFunctions = (scope: Scope): readonly (readonly [string, ExpressionFunction])[] => {
  const { isSuccess, hasFailure, isCanceled } = scope.status ?? succeeded;
  const { hashFiles } = scope;
  return [
    [
      'success',
      (keys) =>
        !isCanceled && (keys.length === 0 ? isSuccess : keys.every((key) => resultOf(scope, key) === 'success')),
    ],
    [
      'failure',
      (keys) =>
        !isCanceled && (keys.length === 0 ? hasFailure : keys.some((key) => resultOf(scope, key) === 'failure')),
    ],
    ['cancelled', () => isCanceled],
    ['always', () => true],
    [
      'hashfiles',
      (patterns) => {
        if (hashFiles === undefined) throw new Error('hashFiles() is for steps');
        const hash = hashFiles(patterns.map(toText));
        if (hash === undefined) throw new Error('hashFiles has no value here');
        return hash;
      },
    ],
  ];
};

/** JSON has no other numbers. */
const finiteOrNull = (value: Json): Json => (typeof value === 'number' && !Number.isFinite(value) ? null : value);

/** `for`: status functions of jobs take names of needed jobs, those of steps take nothing. */
export const openExpressions = (
  { Lexer, Parser }: ExpressionLibrary,
  { for: use }: { readonly for: 'job' | 'step' },
): Expressions => {
  const mostKeys = use === 'job' ? mostArguments : 0;
  const declared = [
    { name: 'success', minArgs: 0, maxArgs: mostKeys },
    { name: 'failure', minArgs: 0, maxArgs: mostKeys },
    { name: 'cancelled', minArgs: 0, maxArgs: 0 },
    { name: 'always', minArgs: 0, maxArgs: 0 },
    { name: 'hashFiles', minArgs: 1, maxArgs: mostArguments },
  ];

  const parse = (expression: string): Expr => {
    if (expression.length > limits.expressionLength)
      throw new Error(`The expression is longer than ${limits.expressionLength} characters`);
    const { tokens } = new Lexer(expression).lex();
    // The library replaces the first pair of quotes in a text only.
    for (const token of tokens)
      if (token.lexeme.startsWith("'")) token.value = token.lexeme.slice(1, -1).replaceAll("''", "'");
    const tree = new Parser(tokens, contextNames, declared).parse() as Expr | undefined;
    if (tree === undefined) throw new Error('The expression is empty');
    return tree;
  };

  const run = (expression: string, scope: Scope): Json => {
    const { contexts, budget } = scope;
    budget.spend(expressionCost + expression.length);
    const functions = new Map([...commonFunctions, ...ownFunctions(scope)]);
    const value = evaluateTree(parse(expression), { contexts, functions, budget, unknown: scope.unknown });
    if (typeof value === 'string') {
      // The evaluator's caller does not bound texts of contexts.
      checkLength(value.length);
      budget.countText(value.length);
    }
    return value;
  };

  const interpolateParts = (text: string, scope: Scope): string => {
    if (hasUnclosedExpression(text)) throw new Error('An expression has no end: }} is missing');
    let result = '';
    for (const part of templateParts(text)) {
      const piece = part.kind === 'text' ? part.text : toText(run(part.text, scope));
      checkLength(result.length + piece.length);
      result += piece;
    }
    return result;
  };

  const references: Expressions['references'] = (expression) => guarded(() => referencesOf(parse(expression)));

  const evaluate: Expressions['evaluate'] = (expression, scope) => guarded(() => finiteOrNull(run(expression, scope)));

  const interpolate: Expressions['interpolate'] = (text, scope) =>
    text.includes('${{') ? guarded(() => interpolateParts(text, scope)) : right(text);

  const evaluateTemplate: Expressions['evaluateTemplate'] = (text, scope) => {
    const parts = templateParts(text);
    const [only] = parts;
    return parts.length === 1 && only?.kind === 'expression' ? evaluate(only.text, scope) : interpolate(text, scope);
  };

  const holds: Expressions['holds'] = (condition, scope) => {
    const { isSuccess, isCanceled } = scope.status ?? succeeded;
    const goesOn = isSuccess && !isCanceled;
    const text = condition?.trim() ?? '';
    // No expression begins so; texts in one may hold `${{`.
    const expression = text.startsWith('${{') ? conditionExpression(text) : text;
    if (expression === '') return right(goesOn);
    const used = references(expression);
    if (isLeft(used)) return used;
    const usesStatus = statusNames.some((name) => used.right.functions.has(name));
    if (!usesStatus && !goesOn) return right(false);
    return guarded(() => isTruthy(run(expression, scope)));
  };

  return { references, evaluate, evaluateTemplate, interpolate, holds };
};

/** The library is an ES module: `require` does not find it. */
export const loadExpressionLibrary = async (): Promise<ExpressionLibrary> => import('@actions/expressions');
