/** Refuses unusable rate limit policies before anything starts, in sentences that name the file and the field. */
import { readFileSync } from 'node:fs';
import { parsePolicy } from '../../../packages/ratelimit/src/index';
import { withOwnRouteGroups } from '../../gateway/rate-limit/configured-policy';
import { OperatorError } from './operator-error';

interface PolicyFault {
  /** JSON pointer. */
  readonly pointer: string;
  readonly message: string;
}

const memberAt = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;

/** The name of the rule that the pointer leads into. */
const ruleAt = (pointer: string, policy: unknown): string | undefined => {
  let value: unknown = policy;
  let name: string | undefined;
  for (const key of pointer.split('/').slice(1)) {
    value = memberAt(value, key);
    const found = memberAt(value, 'name');
    if (typeof found === 'string' && /^[\w-]{1,64}$/.test(found)) name = found;
  }
  return name;
};

const maxFaults = 5;

/** `defaults/20/limit/limit of the rule command-user must be …` */
export const describePolicyFaults = (faults: readonly PolicyFault[], policy: unknown): string => {
  const sentences = faults.slice(0, maxFaults).map(({ pointer, message }) => {
    const rule = ruleAt(pointer, policy);
    const field = pointer === '' ? 'it' : pointer.slice(1);
    return `${field}${rule === undefined ? '' : ` of the rule ${rule}`} ${message.replace(/^is to be/, 'must be')}`;
  });
  const more = faults.length > maxFaults ? [`There are ${faults.length - maxFaults} more faults.`] : [];
  return [...sentences, ...more].join(' ');
};

interface PolicyText {
  /** For the message: the variable, and the file that it names. */
  readonly label: string;
  readonly text: string;
}

const policyText = (variable: string, env: NodeJS.ProcessEnv): PolicyText | undefined => {
  const file = env[`${variable}_FILE`];
  if (file !== undefined && file !== '') {
    const label = `The file ${file} of ${variable}_FILE`;
    try {
      return { label, text: readFileSync(file, 'utf8') };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new OperatorError(`${label} cannot be read: ${code ?? 'the reason is unknown'}.`);
    }
  }
  const text = env[variable];
  return text === undefined || text === '' ? undefined : { label: variable, text };
};

const parseJson = ({ label, text }: PolicyText): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new OperatorError(`${label} is not JSON.`);
  }
};

/** Throws with the first policy that is refused. */
export const refuseUnusablePolicies = (env: NodeJS.ProcessEnv): void => {
  for (const variable of ['GATEWAY_RATELIMIT_POLICY', 'RATELIMIT_POLICY']) {
    const found = policyText(variable, env);
    if (found === undefined) continue;
    const policy = parseJson(found);
    const parsed = parsePolicy(variable === 'GATEWAY_RATELIMIT_POLICY' ? withOwnRouteGroups(policy) : policy);
    if (!parsed.ok)
      throw new OperatorError(`${found.label} is refused: ${describePolicyFaults(parsed.errors, policy)}`);
  }
};
