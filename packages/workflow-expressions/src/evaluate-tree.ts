/** Evaluates the tree of an expression. Throws what has no value, and what exceeds a bound. */
import type { ContextAccess, Expr, ExprVisitor, FunctionCall, IndexAccess } from '@actions/expressions/ast' with {
  'resolution-mode': 'import',
};
import { type Budget, limits } from './budget';
import { type ExpressionFunction, itemCost } from './functions';
import {
  fieldOf,
  isArray,
  isEqual,
  isGreater,
  isObject,
  isPrimitive,
  isTruthy,
  type Json,
  toNumber,
  toText,
} from './values';

export interface EvaluationScope {
  /** By name in lower case. */
  readonly contexts: { readonly [name: string]: unknown };
  /** By name in lower case. */
  readonly functions: ReadonlyMap<string, ExpressionFunction>;
  readonly unknown: ((property: string) => void) | undefined;
  readonly budget: Budget;
}

/** Their properties are known beforehand; those of others, as `env` or `github.event`, come from a workflow or an event. */
const systemContexts = ['github', 'runner', 'job', 'strategy'];

/** The library's literals are null, or have a value. */
const literalValue = (literal: object): Json => ('value' in literal ? (literal.value as Json) : null);

const itemAt = (list: readonly Json[], index: Json): Json | undefined => {
  const number = toNumber(index);
  return Number.isFinite(number) && number >= 0 ? list[Math.floor(number)] : undefined;
};

export const evaluateTree = (tree: Expr, { contexts, functions, budget, unknown }: EvaluationScope): Json => {
  /** What `*` selected: a further access is of each item. */
  const selections = new WeakSet<readonly Json[]>();
  let depth = 0;

  const visit = (node: Expr): Json => {
    budget.spend(1);
    depth += 1;
    if (depth > limits.treeDepth) throw new Error(`The expression is nested deeper than ${limits.treeDepth} levels`);
    const value = node.accept(visitor);
    depth -= 1;
    return value;
  };
  const select = (items: readonly Json[]): readonly Json[] => {
    budget.spend(items.length * itemCost);
    selections.add(items);
    return items;
  };
  const valuesOf = (value: Json): readonly Json[] =>
    isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  const accessEach = (items: readonly Json[], index: Json | undefined): readonly Json[] => {
    const found: Json[] = [];
    for (const item of items) {
      budget.spend(itemCost);
      if (index === undefined) {
        const values = valuesOf(item);
        budget.spend(values.length * itemCost);
        for (const value of values) found.push(value);
        continue;
      }
      const value = isArray(item)
        ? itemAt(item, index)
        : isObject(item) && isPrimitive(index)
          ? fieldOf(item, toText(index), budget)
          : undefined;
      if (value !== undefined) found.push(value);
    }
    return select(found);
  };
  const access = (value: Json, index: Json): Json => {
    if (isArray(value)) return itemAt(value, index) ?? null;
    if (isObject(value) && isPrimitive(index)) return fieldOf(value, toText(index), budget) ?? null;
    return null;
  };

  const noteUnknown = (expr: Expr, value: Json, key: Json): void => {
    const name = 'name' in expr ? (expr as ContextAccess).name.lexeme.toLowerCase() : '';
    if (!systemContexts.includes(name) || typeof key !== 'string' || !isObject(value)) return;
    if (fieldOf(value, key, budget) === undefined) unknown?.(`${name}.${key}`);
  };
  const visitIndexAccess = ({ expr, index }: IndexAccess): Json => {
    // The library's node of `*` has no fields and accepts no visitor; all others have some.
    const isStar = Object.keys(index).length === 0;
    const key = isStar ? undefined : visit(index);
    const value = visit(expr);
    if (isArray(value) && selections.has(value)) return accessEach(value, key);
    if (key === undefined) return select([...valuesOf(value)]);
    if (unknown !== undefined) noteUnknown(expr, value, key);
    return access(value, key);
  };
  const visitFunctionCall = ({ functionName, args }: FunctionCall): Json => {
    const call = functions.get(functionName.lexeme.toLowerCase());
    if (call === undefined) throw new Error(`Unrecognized function: '${functionName.lexeme}'`);
    return call(args.map(visit), budget);
  };
  const visitContextAccess = ({ name }: ContextAccess): Json => {
    const key = name.lexeme.toLowerCase();
    return Object.hasOwn(contexts, key) ? ((contexts[key] ?? null) as Json) : null;
  };
  const compare = (operator: string, left: Json, right: Json): boolean => {
    switch (operator) {
      case '==':
        return isEqual(left, right, budget);
      case '!=':
        return !isEqual(left, right, budget);
      case '>':
        return isGreater(left, right, budget);
      case '>=':
        return isEqual(left, right, budget) || isGreater(left, right, budget);
      case '<':
        return isGreater(right, left, budget);
      case '<=':
        return isEqual(left, right, budget) || isGreater(right, left, budget);
      default:
        throw new Error(`unknown binary operator: ${operator}`);
    }
  };
  const visitor: ExprVisitor<Json> = {
    visitLiteral: ({ literal }) => literalValue(literal),
    visitUnary: ({ expr }) => !isTruthy(visit(expr)),
    visitBinary: ({ left, operator, right }) => compare(operator.lexeme, visit(left), visit(right)),
    visitLogical: ({ operator, args }) => {
      let value: Json = null;
      for (const arg of args) {
        value = visit(arg);
        if (isTruthy(value) === (operator.lexeme === '||')) break;
      }
      return value;
    },
    visitGrouping: ({ group }) => visit(group),
    visitContextAccess,
    visitIndexAccess,
    visitFunctionCall,
  };
  return visit(tree);
};
