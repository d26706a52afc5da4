/** Answers a question from files. Each sentence leads to the place in the file that it is from. */
import { useEffect, useState } from 'preact/hooks';
import { answerQuestion, searchFiles } from '../../../../packages/client/src/operations';
import type { AnswerCitation, GeneratedAnswer } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { EmptyState } from '../../components/empty-state';
import { TextField } from '../../components/form-fields';
import { Guide } from '../../components/guide';
import { PageHeading } from '../../components/page-heading';
import { ResultHeading } from '../../components/result-heading';
import { navigate, withQuery } from '../../kernel/router';
import type { PageProps } from '../../shell/section';
import { answersPath, fileViewPath } from '../paths';
import { headingsOf, placeOf } from './citation-place';
import { PassageResult } from './passage-result';
import { ScopeField, scopeOf } from './scope';
import { fileSearchOf, searchHref } from './search-query';
import { useQuestion } from './use-question';

const maxQuestion = 4_000;
/** Of a quote that an address carries: the viewer looks for it in the passage. */
const maxMarked = 400;

interface FileQuestion {
  readonly question: string;
  readonly fileIds: readonly string[];
  readonly folderIds: readonly string[];
}

const fileQuestionOf = (query: URLSearchParams): FileQuestion => {
  const { fileIds, folderIds } = fileSearchOf(query);
  return { question: (query.get('question') ?? '').trim(), fileIds, folderIds };
};

const parametersOf = ({ question, fileIds, folderIds }: FileQuestion): Record<string, string> => ({
  question,
  files: fileIds.join(),
  folders: folderIds.join(),
});

const questionHref = (fileQuestion: FileQuestion): string => withQuery(answersPath, parametersOf(fileQuestion));

const QuestionForm = ({ fileQuestion }: { readonly fileQuestion: FileQuestion }) => {
  const [typed, setTyped] = useState(fileQuestion.question);
  // Back and forward change the address, so the field follows it.
  useEffect(() => setTyped(fileQuestion.question), [fileQuestion.question]);
  return (
    <>
      <form
        class="question-form"
        onSubmit={(event) => {
          event.preventDefault();
          navigate(questionHref({ ...fileQuestion, question: typed.trim() }));
        }}
      >
        <TextField label="Question" value={typed} onType={setTyped} maxLength={maxQuestion} rows={2} isRequired />
        <button type="submit" class="button primary">
          Ask
        </button>
      </form>
      <ScopeField {...fileQuestion} hrefOf={(scope) => questionHref({ ...fileQuestion, ...scope })} />
    </>
  );
};

const viewHref = ({ fileId, chunkId, versionId, quote }: AnswerCitation, fileQuestion: FileQuestion): string =>
  fileViewPath(fileId, {
    chunk: chunkId,
    version: versionId,
    from: { ...parametersOf(fileQuestion), quote: quote.slice(0, maxMarked) },
  });

const nameOf = ({ filename }: AnswerCitation): string => filename ?? 'A file without a name';

interface AnswerProps {
  readonly answer: GeneratedAnswer;
  readonly fileQuestion: FileQuestion;
}

const Sentences = ({ answer: { sentences, citations }, fileQuestion }: AnswerProps) => (
  <p class="answer">
    {sentences.map(({ text, citations: indexes }, at) => (
      // Sentences have no id, and stay in their order.
      <span key={`${at} ${text}`} class="sentence">
        {text}
        {indexes.map((index) => {
          const citation = citations[index];
          if (citation === undefined) return null;
          const label = `Citation ${index + 1}: ${nameOf(citation)}, ${placeOf(citation.citation)}`;
          return (
            <a key={index} class="cite" href={viewHref(citation, fileQuestion)} aria-label={label} data-tooltip={label}>
              {index + 1}
            </a>
          );
        })}
      </span>
    ))}
  </p>
);

const Quotes = ({ answer: { citations }, fileQuestion }: AnswerProps) => (
  <section class="section">
    <h2>Where it stands</h2>
    <ol class="passages quotes">
      {citations.map((citation, at) => {
        const headings = headingsOf(citation.citation);
        return (
          <li key={`${citation.chunkId} ${at}`}>
            <div class="first">
              <a href={viewHref(citation, fileQuestion)}>
                {at + 1}. {nameOf(citation)} <span class="place">{placeOf(citation.citation)}</span>
              </a>
            </div>
            {headings !== '' && <p class="below">{headings}</p>}
            <blockquote>{citation.quote}</blockquote>
          </li>
        );
      })}
    </ol>
  </section>
);

const madeBy = ({ generator, degraded }: GeneratedAnswer): string => {
  if (degraded.includes('model')) return 'The model did not answer, so these are sentences as they stand in the files.';
  if (generator === 'extractive') return 'These are sentences as they stand in the files.';
  return `Written by ${generator} from the passages below. Compare it with what is quoted.`;
};

const nearest = 5;

/** What a person reads instead of an answer: the passages that come nearest to the question. */
const Unanswered = ({ fileQuestion: { question: query, fileIds, folderIds } }: Pick<AnswerProps, 'fileQuestion'>) => {
  const search = { ...fileSearchOf(new URLSearchParams({ query })), fileIds, folderIds };
  const found = useQuestion(searchFiles({ body: { query, topK: nearest, ...scopeOf(search) } }));
  return (
    <>
      <EmptyState title="No sentence was found that answers this">
        Nothing is made up. Ask in the words that your files may use, or{' '}
        <a href={searchHref(search)}>search for passages about it</a>.
      </EmptyState>
      {found.content !== undefined && found.content.results.length > 0 && (
        <section class="section">
          <h2>Passages nearest to the question</h2>
          <ol class="passages">
            {found.content.results.map((result) => (
              <PassageResult key={result.chunkId} result={result} search={search} />
            ))}
          </ol>
        </section>
      )}
    </>
  );
};

const Answered = ({ answer, fileQuestion }: AnswerProps) => {
  const { question: query } = fileQuestion;
  if (answer.answer === null) return <Unanswered fileQuestion={fileQuestion} />;
  return (
    <>
      <ResultHeading key={query} title="Answer" />
      <Sentences answer={answer} fileQuestion={fileQuestion} />
      <p class="faint">
        {madeBy(answer)}
        {answer.degraded.includes('semantic') &&
          ' Some passages could be found by their words only: not everything can be searched by meaning at the moment.'}
      </p>
      <Quotes answer={answer} fileQuestion={fileQuestion} />
    </>
  );
};

export const AnswerPage = ({ query }: PageProps) => {
  const fileQuestion = fileQuestionOf(query);
  const answer = useQuestion(
    fileQuestion.question === ''
      ? undefined
      : answerQuestion({ body: { question: fileQuestion.question, ...scopeOf(fileQuestion) } }),
  );
  return (
    <>
      <PageHeading
        title="Ask files"
        lead="Answers from the files that you may see, and from nothing else. Each sentence leads to where it is from."
      />
      <QuestionForm fileQuestion={fileQuestion} />
      {fileQuestion.question === '' ? (
        <EmptyState title="What do you want to know?">
          Ask in a sentence: “What is the notice period of the lease?” <Guide name="files" group="files" />
        </EmptyState>
      ) : (
        <AsyncContent source={answer} rows={4}>
          {(content) => <Answered answer={content} fileQuestion={fileQuestion} />}
        </AsyncContent>
      )}
    </>
  );
};
