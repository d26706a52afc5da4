/**
 * Expressions of steps, by `@actions/expressions`. Values are JSON. `evaluate` takes an expression without `${{ }}`, `interpolate` a text
 * with any number of them.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';

type Library = typeof import('@actions/expressions', { with: { 'resolution-mode': 'import' }});

/** What `success()` and its kind answer. */
export interface JobStatus {
  readonly hasFailed: boolean;
  readonly isCanceled: boolean;
  /** Values of `hashFiles`, by their patterns as JSON. */
  readonly hashes?: ReadonlyMap<string, string>;
  /** Gets the patterns that have no value. */
  readonly missing?: Set<string>;
}

/** By name: `github`, `env`, `steps`, … */
export type Contexts = { readonly [name: string]: unknown };

export interface Expressions {
  readonly evaluate: (expression: string, contexts: Contexts, status: JobStatus) => Either<string, unknown>;
  readonly interpolate: (text: string, contexts: Contexts, status: JobStatus) => Either<string, string>;
  /** A step's condition; null is `success()`, which every condition without a status function also needs. */
  readonly holds: (condition: string | null, contexts: Contexts, status: JobStatus) => Either<string, boolean>;
}

interface TextPart {
  readonly kind: 'text' | 'expression';
  readonly value: string;
}

/** Where the expression that begins at `from` ends: quotes may hold `}}`. */
const endOfExpression = (text: string, from: number): number | undefined => {
  let isQuoted = false;
  for (let index = from; index < text.length; index += 1) {
    if (text[index] === "'") isQuoted = !isQuoted;
    if (!isQuoted && text.startsWith('}}', index)) return index;
  }
  return undefined;
};

const partsOf = (text: string): Either<string, readonly TextPart[]> => {
  const parts: TextPart[] = [];
  for (let from = 0; from < text.length; ) {
    const open = text.indexOf('${{', from);
    if (open < 0) {
      parts.push({ kind: 'text', value: text.slice(from) });
      break;
    }
    if (open > from) parts.push({ kind: 'text', value: text.slice(from, open) });
    const end = endOfExpression(text, open + 3);
    if (end === undefined) return left('An expression has no end: }} is missing.');
    parts.push({ kind: 'expression', value: text.slice(open + 3, end).trim() });
    from = end + 2;
  }
  return right(parts);
};

const statusNames = ['success', 'failure', 'always', 'cancelled'] as const;
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

const open = ({ Lexer, Parser, Evaluator, data }: Library): Expressions => {
  const toData = (
    value: unknown,
  ): InstanceType<(typeof data)['Dictionary']>['values'] extends () => (infer Item)[] ? Item : never => {
    if (value === null || value === undefined) return new data.Null();
    if (typeof value === 'string') return new data.StringData(value);
    if (typeof value === 'number') return new data.NumberData(value);
    if (typeof value === 'boolean') return new data.BooleanData(value);
    if (Array.isArray(value)) return new data.Array(...value.map(toData));
    return new data.Dictionary(...Object.entries(value).map(([key, item]) => ({ key, value: toData(item) })));
  };
  const evaluateData = (expression: string, contexts: Contexts, status: JobStatus) => {
    const { hasFailed, isCanceled, hashes, missing } = status;
    const answers = {
      success: !hasFailed && !isCanceled,
      failure: hasFailed && !isCanceled,
      always: true,
      cancelled: isCanceled,
    };
    const hashFiles = {
      name: 'hashFiles',
      minArgs: 1,
      maxArgs: 255,
      call: (...patterns: readonly { readonly coerceString: () => string }[]) => {
        const key = JSON.stringify(patterns.map((pattern) => pattern.coerceString()));
        const hash = hashes?.get(key);
        if (hash !== undefined) return new data.StringData(hash);
        missing?.add(key);
        throw new Error('hashFiles has no value here');
      },
    };
    const statusFunctions = statusNames.map((name) => ({
      name,
      minArgs: 0,
      maxArgs: 0,
      call: () => new data.BooleanData(answers[name]),
    }));
    const functions = [...statusFunctions, hashFiles];
    const { tokens } = new Lexer(expression).lex();
    const parsed = new Parser(tokens, contextNames, functions).parse();
    const values = new data.Dictionary(...contextNames.map((key) => ({ key, value: toData(contexts[key]) })));
    return new Evaluator(parsed, values, new Map(functions.map((item) => [item.name.toLowerCase(), item]))).evaluate();
  };
  const attempt = <Value>(expression: string, work: () => Value): Either<string, Value> => {
    try {
      return right(work());
    } catch (error) {
      return left(`The expression ${expression.slice(0, 200)} cannot be evaluated: ${(error as Error).message}`);
    }
  };
  const evaluate: Expressions['evaluate'] = (expression, contexts, status) =>
    attempt(expression, () => {
      const value = evaluateData(expression, contexts, status);
      return JSON.parse(JSON.stringify(value, data.replacer)) as unknown;
    });
  const interpolate: Expressions['interpolate'] = (text, contexts, status) => {
    if (!text.includes('${{')) return right(text);
    const parts = partsOf(text);
    if (isLeft(parts)) return parts;
    let result = '';
    for (const { kind, value } of parts.right) {
      const part =
        kind === 'text'
          ? right<string, string>(value)
          : attempt(value, () => evaluateData(value, contexts, status).coerceString());
      if (isLeft(part)) return part;
      result += part.right;
    }
    return right(result);
  };
  const isTrue = (expression: string, contexts: Contexts, status: JobStatus): Either<string, boolean> =>
    attempt(expression, () => {
      const value = evaluateData(`!!(${expression})`, contexts, status);
      return value.kind === data.Kind.Boolean && value.coerceString() === 'true';
    });
  const holds: Expressions['holds'] = (condition, contexts, status) => {
    const parts = partsOf(condition ?? '');
    if (isLeft(parts)) return parts;
    const [first, ...others] = parts.right;
    const expression = (first?.kind === 'expression' && others.length === 0 ? first.value : (condition ?? '')).trim();
    if (expression === '') return right(!status.hasFailed && !status.isCanceled);
    const named = attempt(expression, () =>
      new Lexer(expression)
        .lex()
        .tokens.some(
          ({ lexeme }, index, tokens) =>
            statusNames.some((name) => name === lexeme.toLowerCase()) && tokens[index + 1]?.lexeme === '(',
        ),
    );
    if (isLeft(named)) return named;
    if (!named.right && (status.hasFailed || status.isCanceled)) return right(false);
    return isTrue(expression, contexts, status);
  };
  return { evaluate, interpolate, holds };
};

/** The library is an ES module, which is loaded once. */
export const loadExpressions = async (): Promise<Expressions> => open(await import('@actions/expressions'));
