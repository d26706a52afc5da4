/** What came in a query or a form of an authorization request: each parameter once, but for the resources of RFC 8707. */
import type { Form } from '../token/form';

export interface Given {
  /** Those that came once; without a value a parameter counts as left out. */
  readonly single: { readonly [name: string]: string | undefined };
  readonly resources: readonly string[];
  /** Names of those that came more than once, which makes a request invalid (RFC 6749 section 3.1). */
  readonly repeated: readonly string[];
}

const textsOf = (value: unknown): readonly string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');

export const givenIn = (form: Form): Given => {
  const named = Object.entries(form).filter(([name]) => name !== 'resource');
  const single = named.filter(([, value]) => typeof value === 'string' && value !== '');
  const repeated = named.filter(([, value]) => typeof value !== 'string').map(([name]) => name);
  return {
    single: Object.fromEntries(single) as Given['single'],
    resources: [...new Set(textsOf(form.resource))],
    repeated,
  };
};
