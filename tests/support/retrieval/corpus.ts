/** Real files, read and cut into chunks as the pipeline does it, and ranked for a question as a search ranks them: by words, by vectors, fused, reranked. */
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { chunksOf } from '../../../domain/files/content/chunker';
import type { FileId, VersionId } from '../../../domain/files/ids';
import type { Embedder } from '../../../infra/ports/files/embedder';
import type { AuthorizedChunk } from '../../../read-api/files/search/authorize-chunks';
import { rankLists } from '../../../read-api/files/search/ranking/rank-lists';
import { searchWordsOf, wordsIn } from '../../../read-api/files/search/words';
import { fixture, readFacts } from '../../packages/file-readers/read';
import { expectRight } from '../domain/expect-right';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex') as never;

const readChunks = async (path: string): Promise<readonly AuthorizedChunk[]> => {
  const fileId = basename(path) as FileId;
  const versionId = `${fileId}-v1` as VersionId;
  const { elements, facts } = await readFacts(path);
  return [...chunksOf(elements, { versionId, document: facts, sha256 })].map(
    (chunk) =>
      ({ ...chunk, fileId, versionId, filename: basename(path), pipelineVersion: 1 }) as unknown as AuthorizedChunk,
  );
};

const corpusFiles: readonly string[] = [
  ...['rustix-readme', 'fs-err-readme', 'textwrap-readme', 'nom-recipes', 'markdown-syntax', 'itertools-changelog'].map(
    (name) => fixture('markdown', `${name}.markdown`),
  ),
  ...['go1', 'versitygw-buckets'].map((name) => fixture('html', `${name}.html`)),
  ...['form_dd0293', 'crazyones', 'tagged'].map((name) => fixture('pdf', `${name}.pdf`)),
  ...['FY09_EDU_Recipients_by_State', 'test_geo'].map((name) => fixture('csv', `${name}.csv`)),
  ...['lzma_decoder.c', 'csvkit-cli.py'].map((name) => fixture('code', name)),
  ...['identity', 'places', 'place-search', 'workflows', 'editor', 'limits'].map((name) =>
    join(__dirname, '..', '..', '..', 'docs', `${name}.md`),
  ),
];

const passagesAtOnce = 64;

const scoresByWords = (chunks: readonly AuthorizedChunk[]) => {
  const stems = chunks.map(({ content, headings, filename }) => {
    const counts = new Map<string, number>();
    for (const { stem } of wordsIn([filename.replace(/[_.-]/g, ' '), ...headings, content].join('\n')))
      counts.set(stem, (counts.get(stem) ?? 0) + 1);
    return counts;
  });
  const lengths = stems.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const frequency = new Map<string, number>();
  for (const counts of stems) for (const stem of counts.keys()) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
  // BM25, as the index has it.
  return (query: ReadonlySet<string>): readonly number[] =>
    stems.map((counts, at) =>
      [...query].reduce((score, stem) => {
        const count = counts.get(stem) ?? 0;
        const many = frequency.get(stem) ?? 0;
        const rarity = Math.log(1 + (chunks.length - many + 0.5) / (many + 0.5));
        return score + (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * (lengths[at] ?? 0)) / average));
      }, 0),
    );
};

const product = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

const bestOf = (chunks: readonly AuthorizedChunk[], scores: readonly number[], depth: number) =>
  chunks
    .map((chunk, at) => ({ chunk, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, depth)
    .map(({ chunk }) => chunk);

export const openCorpus = async (embedder: Embedder, files: readonly string[] = corpusFiles) => {
  const chunks = (await Promise.all(files.map(readChunks))).flat();
  const vectors: Float32Array[] = [];
  for (let from = 0; from < chunks.length; from += passagesAtOnce) {
    const texts = chunks
      .slice(from, from + passagesAtOnce)
      .map(({ headings, content }) => [...headings, content].join('\n'));
    vectors.push(...expectRight(await embedder.embed(texts, { kind: 'passage' })));
  }
  const byWords = scoresByWords(chunks);
  const search = async (question: string, topK = 10): Promise<readonly AuthorizedChunk[]> => {
    const words = searchWordsOf(question);
    const [vector] = expectRight(await embedder.embed([question], { kind: 'query' }));
    const near = vectors.map((one) => product(one, vector ?? new Float32Array()));
    const lists = [bestOf(chunks, byWords(words.stems), 50), bestOf(chunks, near, 50)];
    const ranked = lists.map((items) => ({ items, weight: 1 }));
    return rankLists(ranked, words, topK)
      .slice(0, topK)
      .map(({ item }) => item);
  };
  return { chunks, search };
};
