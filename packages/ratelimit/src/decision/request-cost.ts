/** What a request costs of a limit, in whole units rounded up. Exact for numbers of any size. */

import { type Dimensions, normaliseDimension } from '../policy/dimensions';
import type { Cost, Unit } from '../policy/policy';
import type { Weight } from './decision';

/** The cost rules of one request, extracted from the policy and stored with its reservation. */
export interface CostModel {
  readonly unit: Unit;
  /** Cost of one request, for the unit `requests`. */
  readonly each: number;
  readonly per: number;
  /** Both in thousandths. */
  readonly factor: number;
  readonly cachedInput: number;
  readonly byTool: { readonly [tool: string]: number };
  /** Reserved output of a request without a maximum. */
  readonly unknownOutput: number;
}

export interface RequestCost {
  readonly cost: number;
  /** The cost without estimated output. */
  readonly minCost: number;
}

/** Default of the policy; common models stop there when no maximum is set. */
const defaultUnknownOutput = 4_096;

/** Larger weights are invalid; sums of valid ones stay exact. */
const maxWeight = 2 ** 40;
const maxCost = 2n ** 52n;
const thousand = 1_000n;

type ByModel = ReadonlyMap<string, number>;
const toModelMap = (values: { readonly [model: string]: number } = {}): ByModel =>
  new Map(Object.entries(values).map(([model, value]) => [normaliseDimension('model', model), value]));

/** Prepares the cost rules once; the result is called per request. */
export const createCostModels = (cost: Cost): ((dimensions: Dimensions) => CostModel) => {
  const factors = toModelMap(cost.byModel);
  const outputs = toModelMap(cost.outputWhenUnknown);
  const routes = new Map(Object.entries(cost.byRoute ?? {}));
  const unknownOutput = outputs.get('default') ?? defaultUnknownOutput;
  const { unit, per = 1, cachedInput = 1_000, byTool = {} } = cost;
  const common: CostModel = { unit, each: 1, per, factor: 1_000, cachedInput, byTool, unknownOutput };
  if (factors.size + outputs.size + routes.size === 0) return () => common;
  return ({ route = '', model = '' }) => {
    const name = normaliseDimension('model', model);
    return {
      ...common,
      each: routes.get(route) ?? 1,
      factor: factors.get(name) ?? 1_000,
      unknownOutput: outputs.get(name) ?? unknownOutput,
    };
  };
};

/** Throws on an invalid weight, which is an error of the calling program. */
export const checkWeight = ({ tools = {}, ...weight }: Weight): void => {
  for (const [name, value] of Object.entries<number | undefined>({ ...weight, ...tools })) {
    if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= maxWeight)) continue;
    throw new TypeError(`The weight's ${name} is to be a whole number from 0 to 2^40.`);
  }
};

const divideRoundingUp = (amount: bigint, parts: bigint): bigint => (amount + parts - 1n) / parts;

const toCostNumber = (cost: bigint): number => Number(cost > maxCost ? maxCost : cost);

interface OutputTokens {
  readonly known: number;
  readonly max: number;
}

const noOutput: OutputTokens = { known: 0, max: 0 };

/** Only requests with input tokens can have output tokens. */
const outputOf = ({ outputTokens, inputTokens, answers = 1 }: Weight, unknownOutput: number): OutputTokens => {
  if (outputTokens !== undefined) return { known: outputTokens, max: outputTokens };
  return inputTokens === undefined ? noOutput : { known: 0, max: Math.min(unknownOutput * answers, maxWeight) };
};

const inputOf = ({ inputTokens = 0, cachedInputTokens = 0 }: Weight, cachedInput: number): bigint => {
  const cached = Math.min(cachedInputTokens, inputTokens);
  return BigInt(inputTokens - cached) * thousand + BigInt(cached) * BigInt(cachedInput);
};

/** Only tools named by the policy cost anything. */
const toolsOf = ({ tools = {} }: Weight, byTool: CostModel['byTool']): bigint =>
  Object.entries(byTool).reduce(
    (sum, [tool, each]) => sum + BigInt(each) * BigInt(Object.hasOwn(tools, tool) ? (tools[tool] ?? 0) : 0),
    0n,
  );

const tokenCost = (model: CostModel, weight: Weight): RequestCost => {
  const { unit, per, factor, cachedInput, byTool, unknownOutput } = model;
  const input = unit === 'output-tokens' ? 0n : inputOf(weight, cachedInput);
  const { known, max } = unit === 'input-tokens' ? noOutput : outputOf(weight, unknownOutput);
  const tools = toolsOf(weight, byTool);
  const total = (output: number): number => {
    const millionths = (input + BigInt(output) * thousand) * BigInt(factor) + tools * 1_000_000n;
    return toCostNumber(divideRoundingUp(millionths, 1_000_000n * BigInt(per)));
  };
  const minCost = total(known);
  return { cost: known === max ? minCost : total(max), minCost };
};

/** Whether the request states its weight in this unit; if not, the settlement may still bring some. */
export const hasWeightFor = (unit: Unit, { bytes, inputTokens, outputTokens, tools }: Weight): boolean => {
  if (unit === 'requests' || unit === 'concurrent-requests') return true;
  if (unit === 'bytes') return bytes !== undefined;
  return inputTokens !== undefined || outputTokens !== undefined || tools !== undefined;
};

const exactCost = (cost: number): RequestCost => ({ cost, minCost: cost });

const multiply = (one: number, other: number): number => {
  const cost = one * other;
  return Number.isSafeInteger(cost) ? Math.min(cost, Number(maxCost)) : toCostNumber(BigInt(one) * BigInt(other));
};

export const costOf = (model: CostModel, weight: Weight): RequestCost => {
  switch (model.unit) {
    case 'requests':
    case 'concurrent-requests':
      return exactCost(multiply(weight.requests ?? 1, model.each));
    case 'bytes':
      return exactCost(Math.ceil((weight.bytes ?? 0) / model.per));
    case 'tokens':
    case 'input-tokens':
    case 'output-tokens':
      return tokenCost(model, weight);
  }
};
