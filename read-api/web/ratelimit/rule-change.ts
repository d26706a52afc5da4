/** Where a rule comes from, in words, and the commands of an operator that change it. */
import type { RateLimitPolicies, RateLimitRule } from '../../../packages/client/src/schemas';
import { shellWord } from '../kernel/shell-word';

export type PolicyPlace = Pick<RateLimitPolicies['items'][number], 'enforcedBy' | 'version' | 'origin' | 'file'>;

const variables = { gateway: 'GATEWAY_RATELIMIT_POLICY', service: 'RATELIMIT_POLICY' } as const;
const usualFiles = { gateway: 'limits.json', service: 'service-limits.json' } as const;

/** `Built into Septet.` */
export const originOf = ({ enforcedBy, origin, file }: PolicyPlace): string => {
  const variable = variables[enforcedBy];
  if (origin === 'built-in') return 'Built into Septet.';
  if (origin === 'variable') return `From the variable ${variable}.`;
  return file === null ? `From the file of ${variable}_FILE.` : `From ${file}, the file of ${variable}_FILE.`;
};

/** Of an override for one tenant. */
const tenantOf = ({ set, match }: RateLimitRule): string | undefined =>
  set === 'override' && match.tenant?.length === 1 ? match.tenant[0] : undefined;

const example = (value: number): string => String(value * 2);

const changeCommand = (rule: RateLimitRule, file: string, { enforcedBy }: PolicyPlace): string => {
  const tenant = tenantOf(rule);
  return [
    `npm run limits -- ${shellWord(file)}`,
    ...(enforcedBy === 'service' ? ['--limiter service'] : []),
    `--rule ${shellWord(rule.name)}`,
    `--limit ${example(rule.limit)}`,
    ...(rule.burst === null ? [] : [`--burst ${example(rule.burst)}`]),
    ...(tenant === undefined ? [] : [`--tenant ${shellWord(tenant)}`]),
  ].join(' ');
};

/** The file of the limiter's API is read again when it changes. */
export const isReloaded = ({ enforcedBy, origin }: PolicyPlace): boolean =>
  enforcedBy === 'service' && origin === 'file';

/** Lines to paste in the folder of Septet. They double the rule. */
export const changeCommands = (rule: RateLimitRule, place: PolicyPlace): readonly string[] => {
  const variable = variables[place.enforcedBy];
  const file = place.file ?? usualFiles[place.enforcedBy];
  const change = changeCommand(rule, file, place);
  if (isReloaded(place)) return [change];
  const start = `${variable}_FILE=${shellWord(file)} npm start`;
  if (place.origin !== 'variable') return [change, start];
  // Only one of the variable and its file may be given.
  return [`printf '%s' "$${variable}" > ${file}`, change, `env -u ${variable} ${start}`];
};
