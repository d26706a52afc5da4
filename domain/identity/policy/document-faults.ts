/** Faults of a document that its codec cannot see, each with its place. */
import type { InputFault } from '../../kernel/codec';
import { maxDocumentBytes, type PolicyDocument, type PolicyRule } from './document';
import { parseNetwork } from './networks';
import { maxPatternSegments, patternSegments } from './paths';
import { isTimeZone } from './times';

const eachFault = (
  values: readonly string[] | undefined,
  pointer: string,
  { isSound, expected }: { readonly isSound: (value: string) => boolean; readonly expected: string },
): readonly InputFault[] =>
  (values ?? []).flatMap((value, index) => (isSound(value) ? [] : [{ pointer: `${pointer}/${index}`, expected }]));

const soundPath = {
  isSound: (path: string) => patternSegments(path) !== undefined,
  expected: `a path of at most ${maxPatternSegments} segments, none empty or of dots, without percent signs; * as a whole segment, ** only at the end, $principal, $tenant`,
};
const soundNetwork = {
  isSound: (network: string) => parseNetwork(network) !== undefined,
  expected: 'an address, or a network without bits of the host, such as 192.0.2.0/24 or 2001:db8::/32',
};

const timeFaults = ({ conditions: { times = [] } = {} }: PolicyRule, pointer: string): readonly InputFault[] =>
  times.flatMap(({ zone, from, until }, index) => {
    const at = `${pointer}/conditions/times/${index}`;
    return [
      ...(isTimeZone(zone) ? [] : [{ pointer: `${at}/zone`, expected: 'a time zone, such as Europe/Berlin or UTC' }]),
      ...(from !== undefined && from === until
        ? [{ pointer: `${at}/until`, expected: 'another time than from; leave both out for whole days' }]
        : []),
    ];
  });

const ruleFaults = (rule: PolicyRule, pointer: string, labels: ReadonlySet<string>): readonly InputFault[] => {
  const { effect, principal, resource, conditions, requires } = rule;
  return [
    ...eachFault(principal?.labels, `${pointer}/principal/labels`, {
      isSound: (label) => labels.has(label),
      expected: 'a label that labels gives to principals',
    }),
    ...eachFault(resource?.paths, `${pointer}/resource/paths`, soundPath),
    ...eachFault(conditions?.networks, `${pointer}/conditions/networks`, soundNetwork),
    ...eachFault(conditions?.notNetworks, `${pointer}/conditions/notNetworks`, soundNetwork),
    ...timeFaults(rule, pointer),
    ...(requires !== undefined && effect !== 'ALLOW'
      ? [{ pointer: `${pointer}/requires`, expected: 'nothing: only rules that allow require something' }]
      : []),
  ];
};

const repeatedIds = (rules: readonly PolicyRule[]): readonly InputFault[] => {
  const seen = new Set<string>();
  return rules.flatMap(({ ruleId }, index) => {
    if (seen.has(ruleId)) return [{ pointer: `/rules/${index}/ruleId`, expected: 'an id that no other rule has' }];
    seen.add(ruleId);
    return [];
  });
};

const bytesOf = (document: PolicyDocument): number => new TextEncoder().encode(JSON.stringify(document)).length;

/** None: the document can be a version. */
export const documentFaults = (document: PolicyDocument): readonly InputFault[] => {
  const { covers, rules, labels = {} } = document;
  if (bytesOf(document) > maxDocumentBytes)
    return [{ pointer: '', expected: `a document of at most ${maxDocumentBytes} bytes` }];
  const known = new Set(Object.keys(labels));
  return [
    ...covers.flatMap(({ paths }, index) => eachFault(paths, `/covers/${index}/paths`, soundPath)),
    ...repeatedIds(rules),
    ...rules.flatMap((rule, index) => ruleFaults(rule, `/rules/${index}`, known)),
  ];
};
