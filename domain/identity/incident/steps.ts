/** The steps of the response to an incident. */
import type { TypeOf } from 'io-ts';
import { oneOf, text } from '../../kernel/codec';

/** The response order of section 3. The last step is taken by recovery alone. */
export const containmentSteps = [
  'block-token',
  'revoke-grant',
  'raise-epoch',
  'publish-invalidation',
  'confirm-gateways',
  'suspend-capabilities',
  'alert',
  'require-authentication',
] as const;
export const ContainmentStep = oneOf('ContainmentStep', containmentSteps);
export type ContainmentStep = TypeOf<typeof ContainmentStep>;

/** `not-needed`: the incident has nothing that the step would end. */
export const StepResult = oneOf('StepResult', ['done', 'not-needed']);
export type StepResult = TypeOf<typeof StepResult>;

/** What the step did, for people. Ids, numbers and fixed words only. */
export const StepDetail = text('StepDetail', { maxLength: 500, examples: ['Two gateways have confirmed.'] });
