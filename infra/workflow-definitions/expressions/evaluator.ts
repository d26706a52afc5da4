/** Expressions by `@actions/expressions`, with status functions and with bounds on the texts that they make. */
import type { data, Expr } from '@actions/expressions' with { 'resolution-mode': 'import' };
import type { FunctionDefinition } from '@actions/expressions/funcs/info' with { 'resolution-mode': 'import' };
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ExpressionContexts, StatusFacts } from '../../ports/workflow/definitions';
import type { ActionsLibrary } from '../library';
import { templateParts } from './templates';

type Data = data.ExpressionData;

/** What an expression refers to, without evaluating it. Names in lower case. */
export interface References {
  readonly contexts: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
}

export interface Evaluator {
  /** Left: why it is no expression. */
  readonly references: (expression: string) => Either<string, References>;
  /** The value as JSON. Left: why it has none. */
  readonly evaluate: (
    expression: string,
    contexts: ExpressionContexts,
    status?: StatusFacts,
  ) => Either<string, unknown>;
  /** Text with expressions: the value of the only one, else text with the values in their places. */
  readonly evaluateTemplate: (text: string, contexts: ExpressionContexts) => Either<string, unknown>;
  /** Whether a condition holds; `success()` stands before one that asks for no status. */
  readonly holds: (
    condition: string | null,
    contexts: ExpressionContexts,
    status: StatusFacts,
  ) => Either<string, boolean>;
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

const statusNames = ['success', 'failure', 'cancelled', 'always'] as const;

/** GitHub's bound on one expression. */
const longestExpression = 21_000;
/** Texts double with every nested `format`, so each result is bounded before it is made. */
const longestText = 1_048_576;

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

const referencesOf = (tree: Expr | undefined): References => {
  const contexts = new Set<string>();
  const functions = new Set<string>();
  const open: object[] = tree === undefined ? [] : [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const context = lexemeIn(node, 'name');
    const called = lexemeIn(node, 'functionName');
    if (context !== undefined) contexts.add(context);
    if (called !== undefined) functions.add(called);
    open.push(...childrenOf(node));
  }
  return { contexts, functions };
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const guarded = <A>(run: () => A): Either<string, A> => {
  try {
    return right(run());
  } catch (error) {
    return left(messageOf(error));
  }
};

const resultOf = (contexts: ExpressionContexts, key: string): unknown => {
  const needs = contexts.needs as { readonly [key: string]: { readonly result?: unknown } | undefined } | undefined;
  return needs?.[key]?.result;
};

export const openEvaluator = ({ expressions }: ActionsLibrary): Evaluator => {
  const { Lexer, Parser, Evaluator: Evaluation, data: kinds, wellKnownFunctions: builtIn } = expressions;

  const toData = (value: unknown): Data => {
    if (value === null || value === undefined) return new kinds.Null();
    if (typeof value === 'string') return new kinds.StringData(value);
    if (typeof value === 'number') return new kinds.NumberData(value);
    if (typeof value === 'boolean') return new kinds.BooleanData(value);
    if (Array.isArray(value)) return new kinds.Array(...value.map(toData));
    return new kinds.Dictionary(...Object.entries(value).map(([key, each]) => ({ key, value: toData(each) })));
  };

  const toJson = (value: Data): unknown => JSON.parse(JSON.stringify(value, kinds.replacer)) as unknown;

  const checkLength = (length: number): void => {
    if (length > longestText) throw new Error(`The text would be longer than ${longestText} characters`);
  };
  const textLength = (value: Data | undefined): number => value?.coerceString().length ?? 0;

  const bounded = (name: string, lengthOf: (args: readonly Data[]) => number): FunctionDefinition => {
    const original = builtIn[name];
    if (original === undefined) throw new Error(`The library of expressions has no function ${name}.`);
    return {
      ...original,
      call: (...args) => {
        checkLength(lengthOf(args));
        const result = original.call(...args);
        if (result.kind === kinds.Kind.String) checkLength(textLength(result));
        return result;
      },
    };
  };

  const formatLength = ([format, ...values]: readonly Data[]): number => {
    const pattern = format?.coerceString() ?? '';
    return pattern.length + (pattern.split('{').length - 1) * Math.max(0, ...values.map(textLength));
  };
  const joinLength = ([list, separator]: readonly Data[]): number => {
    const items = list instanceof kinds.Array ? list.values() : [];
    return items.reduce((sum, item) => sum + textLength(item) + Math.max(1, textLength(separator)), 0);
  };
  const boundedFunctions = [
    bounded('format', formatLength),
    bounded('join', joinLength),
    bounded('tojson', () => 0),
    bounded('fromjson', ([text]) => textLength(text)),
  ];

  const truth = (value: boolean): Data => new kinds.BooleanData(value);
  const statusFunction = (
    name: string,
    call: (keys: readonly string[]) => boolean,
    maxArgs: number,
  ): FunctionDefinition => ({
    name,
    minArgs: 0,
    maxArgs,
    call: (...args) => truth(call(args.map((argument) => argument.coerceString()))),
  });

  const statusFunctions = (
    contexts: ExpressionContexts,
    status: StatusFacts | undefined,
  ): readonly FunctionDefinition[] => {
    const { isSuccess, hasFailure, isCanceled } = status ?? { isSuccess: true, hasFailure: false, isCanceled: false };
    return [
      statusFunction(
        'success',
        (keys) =>
          keys.length === 0
            ? isSuccess && !isCanceled
            : !isCanceled && keys.every((key) => resultOf(contexts, key) === 'success'),
        255,
      ),
      statusFunction(
        'failure',
        (keys) =>
          keys.length === 0
            ? hasFailure && !isCanceled
            : !isCanceled && keys.some((key) => resultOf(contexts, key) === 'failure'),
        255,
      ),
      statusFunction('cancelled', () => isCanceled, 0),
      statusFunction('always', () => true, 0),
    ];
  };

  /** Only a runner sees files; elsewhere its use is reported. */
  const hashFiles: FunctionDefinition = {
    name: 'hashFiles',
    minArgs: 1,
    maxArgs: 255,
    call: () => {
      throw new Error('hashFiles() is for steps');
    },
  };

  const parse = (expression: string, functions: readonly FunctionDefinition[]): Expr => {
    if (expression.length > longestExpression)
      throw new Error(`The expression is longer than ${longestExpression} characters`);
    const { tokens } = new Lexer(expression).lex();
    const tree = new Parser(tokens, contextNames, [...functions, hashFiles]).parse() as Expr | undefined;
    if (tree === undefined) throw new Error('The expression is empty');
    return tree;
  };

  const run = (expression: string, contexts: ExpressionContexts, status: StatusFacts | undefined): unknown => {
    const functions = [...statusFunctions(contexts, status), ...boundedFunctions];
    const tree = parse(expression, functions);
    const used = referencesOf(tree).contexts;
    const values = new kinds.Dictionary(...[...used].map((key) => ({ key, value: toData(contexts[key]) })));
    const implementations = new Map([...functions, hashFiles].map((each) => [each.name.toLowerCase(), each]));
    return toJson(new Evaluation(tree, values, implementations).evaluate());
  };

  const references: Evaluator['references'] = (expression) =>
    guarded(() => referencesOf(parse(expression, statusFunctions({}, undefined))));

  const evaluate: Evaluator['evaluate'] = (expression, contexts, status) =>
    guarded(() => run(expression, contexts, status));

  /** The text that GitHub shows in place of an expression in a text. */
  const inText = (value: unknown): string => toData(value).coerceString();

  const evaluateTemplate: Evaluator['evaluateTemplate'] = (text, contexts) => {
    const parts = templateParts(text);
    const [only] = parts;
    if (parts.length === 1 && only?.kind === 'expression') return evaluate(only.text, contexts);
    const texts: string[] = [];
    for (const part of parts) {
      const value = part.kind === 'text' ? right(part.text) : evaluate(part.text, contexts);
      if (isLeft(value)) return value;
      texts.push(part.kind === 'text' ? part.text : inText(value.right));
    }
    return right(texts.join(''));
  };

  const isTrue = (value: unknown): boolean => value !== null && value !== false && value !== 0 && value !== '';

  const holds: Evaluator['holds'] = (condition, contexts, status) => {
    if (condition === null || condition.trim() === '') return right(status.isSuccess && !status.isCanceled);
    const used = references(condition);
    if (isLeft(used)) return used;
    const value = evaluate(condition, contexts, status);
    if (isLeft(value)) return value;
    const asksStatus = statusNames.some((name) => used.right.functions.has(name));
    return right(isTrue(value.right) && (asksStatus || (status.isSuccess && !status.isCanceled)));
  };

  return { references, evaluate, evaluateTemplate, holds };
};
