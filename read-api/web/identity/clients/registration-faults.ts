/** Finds the field of the form that a refused registration is about, and describes the fault in the words of the form. */
import { countOf } from '../../kernel/format';
import type { Problem } from '../../kernel/problem';

/** Fields that show their error. */
const labels = {
  name: 'The name',
  authentication: 'The client authentication',
  tlsSubject: 'The certificate subject',
  jwksUri: 'The JWKS URI',
  jwks: 'The JWK set',
  redirectUris: 'Redirect URI',
  servicePrincipalId: 'The principal',
  postLogoutRedirectUris: 'Post-logout redirect URI',
  backchannelLogoutUri: 'The back-channel logout URI',
  scopes: 'The scopes',
  audiences: 'The audiences',
  refreshIdleSeconds: 'The time',
  refreshAbsoluteSeconds: 'The time',
  idTokenAlgorithm: 'The algorithm',
} as const;

export type RegistrationField = keyof typeof labels;

const isField = (name: string): name is RegistrationField => Object.hasOwn(labels, name);

/** What is missing, by the field that has to have it. */
const missing: { readonly [Field in RegistrationField]?: string } = {
  redirectUris: 'Enter at least one redirect URI.',
  servicePrincipalId: 'Choose the principal that the client acts as.',
  tlsSubject: 'Enter the certificate subject.',
  scopes: 'Choose at least one scope.',
};

export interface RegistrationFault {
  readonly field: RegistrationField;
  readonly text: string;
}

const inputFault = ({ pointer, expected }: Problem['errors'][number]): RegistrationFault | undefined => {
  const [, field = '', index] = /^\/body\/(\w+)(?:\/(\d+))?/.exec(pointer) ?? [];
  if (!isField(field)) return undefined;
  const text = index === undefined ? 'It' : `Number ${Number(index) + 1}`;
  return { field, text: `${text} must be ${expected}.` };
};

/** The rules begin their sentence with the field: `redirectUris/0 must be an absolute URL.` */
const ruleFault = (detail: string): RegistrationFault | undefined => {
  const [, field = '', index, rest = ''] = /^(\w+)(?:\/(\d+))? (.+)$/s.exec(detail) ?? [];
  if (!isField(field)) return undefined;
  if (index !== undefined) return { field, text: `${labels[field]} ${Number(index) + 1} ${rest}` };
  if (/^is (?:required|empty)\b/.test(rest)) return { field, text: missing[field] ?? `${labels[field]} ${rest}` };
  if (field === 'backchannelLogoutUri' || field === 'jwksUri') return { field, text: `${labels[field]} ${rest}` };
  return undefined;
};

const rulesCodes = ['redirect-uri-invalid', 'client-metadata-invalid'];

/** Empty where the problem is not of one field. */
export const registrationFaultsOf = (problem: Problem | undefined): readonly RegistrationFault[] => {
  if (problem === undefined) return [];
  const found = rulesCodes.includes(problem.code) ? [ruleFault(problem.detail)] : problem.errors.map(inputFault);
  // A fault without a field needs the whole problem.
  const faults = found.flatMap((fault) => (fault === undefined ? [] : [fault]));
  return faults.length === found.length ? faults : [];
};

export const summaryOf = (faults: readonly RegistrationFault[]): string =>
  `${countOf(new Set(faults.map(({ field }) => field)).size, 'field')} to correct, marked above.`;
