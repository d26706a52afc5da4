/**
 * Questions with answers from public knowledge, sent to the search service over the world's towns: how many find the
 * right place first, by kind. The others are listed with what came first, and where the right place is. The questions
 * were written before any tuning.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, finite, record } from '../../../domain/kernel/codec';
import { realPlaces } from '../../../tools/load-places/real-places';
import { openSearchStage, type Parameters, type SearchResult, type SearchStage } from '../../support/geo/search-stage';
import { stopServers } from '../../support/servers/shared-servers';
import { report } from '../measure';
import { fillViews } from './places';
import { placesOfTowns } from './towns';

const Question = record(
  'Question',
  {
    kind: t.string,
    lat: finite,
    lng: finite,
    answer: record('Answer', { name: t.array(t.string), country: t.string }),
  },
  { query: t.string, radius_m: finite, bbox: t.array(finite), sort: t.string, why: t.string },
);
type Question = t.TypeOf<typeof Question>;

const readQuestions = (): readonly Question[] => {
  const text = readFileSync(join(__dirname, 'questions.json'), 'utf8');
  const questions = decode(t.array(Question), JSON.parse(text));
  if (isLeft(questions)) throw new Error(`questions.json: ${JSON.stringify(questions.left)}`);
  return questions.right;
};

const parametersOf = ({ lat, lng, query, radius_m, bbox, sort }: Question): Parameters => ({
  lat,
  lng,
  explain: 1,
  limit: 50,
  ...(query === undefined ? {} : { query }),
  ...(radius_m === undefined ? {} : { radius_m }),
  ...(bbox === undefined ? {} : { bbox: bbox.join(',') }),
  ...(sort === undefined ? {} : { sort }),
});

/** Snippets end with the country. */
const isAnswer = ({ answer }: Question, { name, snippet }: SearchResult): boolean =>
  answer.name.includes(name) && (snippet ?? '').split(', ').at(-1) === answer.country;

const printedResult = ({ name, snippet, distance_m: meters, explanation }: SearchResult): object => ({
  name,
  snippet,
  meters,
  explanation,
});

interface Outcome {
  readonly question: Question;
  /** From 1; 0 where the right place is not among the first fifty. */
  readonly rank: number;
  readonly first: SearchResult | undefined;
  readonly right: SearchResult | undefined;
}

const outcomeOf = async (stage: SearchStage, question: Question): Promise<Outcome> => {
  const { results } = await stage.find(parametersOf(question));
  const at = results.findIndex((result) => isAnswer(question, result));
  return { question, rank: at + 1, first: results[0], right: results[at] };
};

const reportKind = (name: string, outcomes: readonly Outcome[]): void => {
  const holding = outcomes.filter(({ rank }) => rank === 1);
  report({ name: `geo-questions.${name}`, value: holding.length, unit: 'questions', baseline: outcomes.length });
};

export const run = async (): Promise<void> => {
  const questions = readQuestions();
  const stage = await openSearchStage();
  try {
    await stage.stopProjector();
    const towns = placesOfTowns(realPlaces());
    await fillViews(stage, towns);
    console.error(`${questions.length} questions about ${towns.length} towns`);
    const outcomes: Outcome[] = [];
    for (const question of questions) outcomes.push(await outcomeOf(stage, question));
    for (const { question, rank, first, right } of outcomes) {
      if (rank === 1) continue;
      const { kind, ...parameters } = question;
      console.error(
        JSON.stringify({
          kind,
          ...parameters,
          rank,
          first: first && printedResult(first),
          right: right && printedResult(right),
        }),
      );
    }
    const kinds = new Set(questions.map(({ kind }) => kind));
    for (const kind of kinds)
      reportKind(
        kind.replaceAll(' ', '-'),
        outcomes.filter(({ question }) => question.kind === kind),
      );
    reportKind('all', outcomes);
  } finally {
    await stage.close();
    await stopServers();
  }
};
