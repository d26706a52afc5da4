/** Searches files by words and by meaning. The address is the search, so that it can be kept, shared and gone back to. */
import { useEffect, useState } from 'preact/hooks';
import { searchFiles } from '../../../../packages/client/src/operations';
import type { RetrievalAnswer } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { EmptyState } from '../../components/empty-state';
import { ChoiceField, type Option } from '../../components/form-fields';
import { Guide } from '../../components/guide';
import { PageHeading } from '../../components/page-heading';
import { countOf } from '../../kernel/format';
import { navigate } from '../../kernel/router';
import type { PageProps } from '../../shell/section';
import { PassageResult } from './passage-result';
import { ScopeField, scopeOf } from './scope';
import { type FileSearch, fileSearchOf, mostResults, type SearchMode, searchHref } from './search-query';
import { useQuestion } from './use-question';

const modeOptions: readonly Option<SearchMode>[] = [
  { value: 'hybrid', label: 'Words and meaning' },
  { value: 'keyword', label: 'Words only' },
  { value: 'semantic', label: 'Meaning only' },
];

const maxQuery = 4_000;

const SearchForm = ({ search }: { readonly search: FileSearch }) => {
  const [typed, setTyped] = useState(search.query);
  // Back and forward change the address, so the field follows it.
  useEffect(() => setTyped(search.query), [search.query]);
  const go = (changed: Partial<FileSearch>): void =>
    navigate(searchHref({ ...search, query: typed.trim(), ...changed }));
  return (
    <search>
      <form
        class="file-search"
        onSubmit={(event) => {
          event.preventDefault();
          go({});
        }}
      >
        <label class="field">
          <span>Words or a sentence</span>
          <input
            type="search"
            value={typed}
            required
            maxLength={maxQuery}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            placeholder="notice period of the lease"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <ChoiceField label="Find by" value={search.mode} options={modeOptions} onChoose={(mode) => go({ mode })} />
        <button type="submit" class="button primary">
          Search
        </button>
      </form>
      <ScopeField {...search} hrefOf={(scope) => searchHref({ ...search, ...scope })} />
    </search>
  );
};

const Degraded = ({ mode }: Pick<FileSearch, 'mode'>) => (
  <p class="notice warn" role="status">
    {mode === 'semantic'
      ? 'Not everything can be searched by meaning at the moment, so words of the search were used, too.'
      : 'Some of this was found by its words only: not everything can be searched by meaning at the moment.'}
  </p>
);

const NothingFound = ({ search }: { readonly search: FileSearch }) => {
  const isNarrow = search.fileIds.length + search.folderIds.length > 0;
  return (
    <EmptyState title="No passage was found">
      {search.mode === 'keyword' ? (
        <>
          No file that you may see has these words.{' '}
          <a href={searchHref({ ...search, mode: 'hybrid' })}>Search by meaning, too</a>
        </>
      ) : (
        'Try other words. A file that was just uploaded is found once it has been processed.'
      )}
      {isNarrow && (
        <>
          {' '}
          <a href={searchHref({ ...search, fileIds: [], folderIds: [] })}>Search all files</a>
        </>
      )}
    </EmptyState>
  );
};

interface FoundProps {
  readonly answer: RetrievalAnswer;
  readonly search: FileSearch;
}

interface PassagesProps extends Pick<FoundProps, 'search'> {
  readonly results: RetrievalAnswer['results'];
  readonly label: string;
}

const Passages = ({ results, search, label }: PassagesProps) => (
  <ol class="passages" aria-label={label}>
    {results.map((result) => (
      <PassageResult key={result.chunkId} result={result} search={search} />
    ))}
  </ol>
);

const Hits = ({ results, search }: Pick<PassagesProps, 'results' | 'search'>) => {
  const files = new Set(results.map(({ fileId }) => fileId)).size;
  return (
    <>
      <p class="faint" role="status">
        {results.length === 0
          ? 'No passage has a word of the search.'
          : `${countOf(results.length, 'passage')} with words of the search, in ${countOf(files, 'file')}`}
      </p>
      {results.length > 0 && <Passages results={results} search={search} label="Passages, the best first" />}
    </>
  );
};

const Nearest = ({ results, search }: Pick<PassagesProps, 'results' | 'search'>) => (
  <section class="section">
    <h2>Nearest in meaning</h2>
    <p class="faint">
      {search.mode === 'semantic' ? 'The nearest first.' : 'None of the words of the search stands in these.'}
    </p>
    <Passages results={results} search={search} label="Passages, the nearest in meaning first" />
  </section>
);

const Found = ({ answer: { results, degraded }, search }: FoundProps) => {
  const isByMeaning = search.mode === 'semantic' && degraded.length === 0;
  const hits = isByMeaning ? [] : results.filter(({ match }) => match === 'words');
  const nearest = isByMeaning ? results : results.filter(({ match }) => match === 'meaning');
  const isCut = results.length >= search.topK;
  return (
    <>
      {degraded.length > 0 && <Degraded mode={search.mode} />}
      {results.length === 0 ? (
        <NothingFound search={search} />
      ) : (
        <>
          {!isByMeaning && <Hits results={hits} search={search} />}
          {nearest.length > 0 && <Nearest results={nearest} search={search} />}
          {isCut && search.topK < mostResults && (
            <p class="more-passages">
              <a class="button" href={searchHref({ ...search, topK: search.topK === 20 ? 50 : mostResults })}>
                Show more
              </a>
            </p>
          )}
        </>
      )}
    </>
  );
};

const toRequest = ({ query, mode, topK, ...scope }: FileSearch) =>
  searchFiles({ body: { query, mode, topK, ...scopeOf(scope) } });

export const SearchPage = ({ query }: PageProps) => {
  const search = fileSearchOf(query);
  const answer = useQuestion(search.query === '' ? undefined : toRequest(search));
  return (
    <>
      <PageHeading
        title="Search files"
        lead="Finds passages in the files that you may see, and shows where each stands."
      />
      <SearchForm search={search} />
      {search.query === '' ? (
        <EmptyState title="What are you looking for?">
          Words find what has them, whatever their ending; a sentence finds what means the same. “Words in quotes” have
          to stand as they are, and -word leaves out what has the word. <Guide name="files" group="files" />
        </EmptyState>
      ) : (
        <AsyncContent source={answer} rows={8}>
          {(found) => <Found answer={found} search={search} />}
        </AsyncContent>
      )}
    </>
  );
};
