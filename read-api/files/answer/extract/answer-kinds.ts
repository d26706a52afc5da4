/** Whether a sentence has what the kind of a question expects: a date, a number, a name, a reason. */
import type { AnswerKind } from './question';

const months =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)';
const numberWords =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|eighteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand|million|billion|half|once|twice|dozen|none|single|each|every|both|all';
const number = new RegExp(`(?<![\\p{L}\\d_./-])\\d|\\b(?:${numberWords})\\b`, 'iu');
const units = '(?:milli|micro)?(?:seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|decades?)|ms|s|h|min';
const duration = new RegExp(
  `(?:\\d|\\b(?:${numberWords}|an?|few|several)\\b)[\\s-]*(?:${units})\\b|\\bfor ever\\b|\\b(?:un)?til\\b|\\b(?:always|never|forever|immediately|at once)\\b`,
  'i',
);
const time = new RegExp(
  `\\b(?:1[5-9]|20)\\d{2}\\b|\\b${months}\\b\\.?\\s+\\d|\\b\\d{1,2}\\.?\\s+${months}\\b|\\b\\d{1,4}[-/.]\\d{1,2}[-/.]\\d{1,4}\\b|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\\b|\\b\\d{1,2}(?::\\d{2})?\\s*(?:am|pm|o'clock)\\b|\\b\\d{1,2}:\\d{2}\\b|\\b(?:before|after|when|whenever|once|until|since|during|while|every|daily|weekly|monthly|yearly|annually|at the (?:end|beginning)|at (?:its|the) (?:next )?start|if)\\b`,
  'i',
);
const reason =
  /\b(?:because|since|so that|therefore|thus|hence|due to|in order|as a result|reason|otherwise|for the sake|to (?:avoid|prevent|keep|make|ensure|allow))\b|:/i;
const definition = /\b(?:is|are|means?|stands? for|refers? to|provides?|defines?|describes?)\b|: \p{L}/iu;
const role =
  /\b(?:owners?|editors?|viewers?|admin(?:istrator)?s?|operators?|users?|members?|callers?|clients?|managers?|authors?|directors?|presidents?|applicants?|representatives?|tenants?|people|persons?|anyone|everyone|nobody|whoever|he|she|they|we|i|gateway|server|service|board|committee|company|department|office|compiler|by)\b/i;
const properName =
  /(?<=[\p{L}\p{N},;:)"”'’]\s)\p{Lu}[\p{L}'’.-]+|^\p{Lu}[\p{L}'’.-]+\s+(?:(?:of|de|van|von)\s+)?\p{Lu}[\p{L}'’.-]+/u;

/** `text` with the header of its row. */
export const hasKind = (kind: AnswerKind, text: string): boolean => {
  switch (kind) {
    case 'person':
      return properName.test(text) || role.test(text);
    case 'time':
      return time.test(text);
    case 'duration':
      return duration.test(text);
    case 'quantity':
      return number.test(text);
    case 'reason':
      return reason.test(text);
    case 'definition':
      return definition.test(text);
    case 'any':
      return true;
  }
};

/** What is left of the support of a sentence without it: of numbers most is certain, of reasons least. */
export const withoutKind: { readonly [kind in AnswerKind]: number } = {
  person: 0.8,
  time: 0.54,
  duration: 0.5,
  quantity: 0.48,
  reason: 0.95,
  definition: 0.85,
  any: 1,
};
