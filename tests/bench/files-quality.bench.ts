/**
 * How good the order of searches is, on a judged collection whose directory is the argument: nDCG@10 and recall@100 of words alone (BM25),
 * vectors alone, both fused by rank, and of the search as it is served. Each document is a file, as its chunks are made of Markdown. Beside
 * all questions, those with an odd and an even number apart: weights are tuned on the odd ones only. Quotes are left out of the questions: there
 * they cite titles, while a search takes them for phrases that a passage must have. `EMBEDDINGS=hashed` measures without a model.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { embeddedText } from '../../commands/files/ingestion/known-vectors';
import type { Chunk } from '../../domain/files/content/chunk';
import { chunksOf } from '../../domain/files/content/chunker';
import type { Element } from '../../domain/files/content/element';
import { openHashedEmbedder } from '../../infra/adapters/embeddings/hashed-embedder';
import { openMiniLm } from '../../infra/adapters/embeddings/minilm/minilm-embedder';
import type { Embedder } from '../../infra/ports/files/embedder';
import { stop } from '../../infra/server/runtime/command-line';
import { chunksView } from '../../projections/files/chunks/view';
import { keywordQuery, semanticQuery } from '../../read-api/files/search/chunk-queries';
import { fuseRanks } from '../../read-api/files/search/ranking/fuse';
import { keyOf } from '../../read-api/files/search/ranking/rank-lists';
import { searchWordsOf } from '../../read-api/files/search/words';
import { versionOf } from '../support/retrieval/file-history';
import { reader } from '../support/retrieval/memory-stage';
import { openRetrievalStage, type RetrievalStage } from '../support/retrieval/retrieval-stage';
import { stopServers, toolsDirectory } from '../support/servers/shared-servers';
import { ndcg, recall } from './files/ranking-measures';
import { type JudgedCollection, type JudgedDocument, type JudgedQuery, readCollection } from './files/smart-collection';
import { report } from './measure';
import { must } from './rebuild/workplace';

export const takes = 'directory';

const batchSize = 64;
/** More chunks than documents: a document counts once, at the rank of its best chunk. */
const depth = 150;
const fillMilliseconds = 600_000;

const openChosenEmbedder = async (): Promise<Embedder> => {
  if (process.env.EMBEDDINGS === 'hashed') return openHashedEmbedder();
  return must(await openMiniLm({ tools: toolsDirectory, progress: () => undefined }));
};

const elementsOf = ({ title, authors, text }: JudgedDocument): readonly Element[] => {
  const written: readonly (readonly [Element['kind'], string])[] = [
    ['heading', title],
    ['paragraph', authors],
    ['paragraph', text],
  ];
  return written.flatMap(([kind, content], at) =>
    content === ''
      ? []
      : [
          {
            kind,
            modality: 'text',
            level: kind === 'heading' ? 1 : null,
            text: content,
            anchor: { type: 'line_range', lineStart: at + 1, lineEnd: at + 1 },
            words: [],
            confidence: null,
          },
        ],
  );
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const chunksOfDocument = (document: JudgedDocument): readonly Chunk[] => [
  ...chunksOf(elementsOf(document), { versionId: versionOf(document.id), document: { pages: [] }, sha256 }),
];

const fill = async (stage: RetrievalStage, embedder: Embedder, { documents }: JudgedCollection): Promise<void> => {
  const files = documents.map((document) => ({ id: document.id, chunks: chunksOfDocument(document) }));
  const texts = files.flatMap(({ chunks }) => chunks.map(embeddedText));
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += batchSize)
    vectors.push(...must(await embedder.embed(texts.slice(from, from + batchSize), { kind: 'passage' })));
  let next = 0;
  for (const { id, chunks } of files) {
    const samples = chunks.map((chunk) => ({ ...chunk, vector: vectors[next++] as Float32Array }));
    if (samples.length > 0) await stage.addFile(id, samples, { name: `${id}.md`, model: embedder.model });
  }
  await stage.untilVisible(fillMilliseconds);
};

interface Listed {
  readonly fileId: string;
}

/** A document is at the rank of its best chunk. */
const documentsOf = (ranking: readonly Listed[]): readonly string[] => [
  ...new Set(ranking.map(({ fileId }) => fileId)),
];

const ways = ['keyword', 'semantic', 'fused', 'reranked'] as const;
type Rankings = { readonly [way in (typeof ways)[number]]: readonly string[] };

const rankingsOf = async (stage: RetrievalStage, embedder: Embedder, query: JudgedQuery): Promise<Rankings> => {
  const text = query.text.replaceAll('"', ' ');
  const [vector] = must(await embedder.embed([text], { kind: 'query' }));
  const access = { filter: { kind: 'equals', field: 'aclPrincipals', value: 'user:ada' } } as const;
  const queries = [
    keywordQuery(access, searchWordsOf(text), depth),
    semanticQuery(access, { model: embedder.model, vector: [...(vector as Float32Array)] }, depth),
  ];
  const [keyword = [], semantic = []] = await Promise.all(
    queries.map(async (one) =>
      must(await stage.reading.indexes.search(chunksView, 'acme', one)).hits.map(({ row }) => row),
    ),
  );
  const fused = fuseRanks(
    [
      { items: keyword, weight: 1 },
      { items: semantic, weight: 1 },
    ],
    keyOf,
  ).map(({ item }) => item);
  const served = await stage.call(reader('ada'), '/v1/retrieval/search', { query: text, topK: 100 });
  if (served.status !== 200) throw new Error(JSON.stringify(served.body));
  const { results, degraded } = served.body as {
    readonly results: readonly Listed[];
    readonly degraded: readonly string[];
  };
  if (degraded.length > 0) throw new Error('The search was not by vectors.');
  return {
    keyword: documentsOf(keyword),
    semantic: documentsOf(semantic),
    fused: documentsOf(fused),
    reranked: documentsOf(results),
  };
};

interface Judged {
  readonly query: JudgedQuery;
  readonly rankings: Rankings;
}

const measures = {
  'nDCG@10': (ranking: readonly string[], { relevant }: JudgedQuery) => ndcg(ranking, relevant, 10),
  'recall@100': (ranking: readonly string[], { relevant }: JudgedQuery) => recall(ranking, relevant, 100),
} as const;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const reportHalf = (half: string, judged: readonly Judged[]): void => {
  for (const [measure, of] of Object.entries(measures)) {
    const meanOf = (way: keyof Rankings): number => mean(judged.map(({ query, rankings }) => of(rankings[way], query)));
    const keyword = meanOf('keyword');
    for (const way of ways)
      report({
        name: `files-quality.${half}.${way}.${measure}`,
        value: meanOf(way),
        unit: `of ${judged.length} questions`,
        ...(way === 'keyword' ? {} : { baseline: keyword }),
      });
  }
};

export const run = async ([directory, ...more]: readonly string[]): Promise<void> => {
  if (directory === undefined || more.length > 0 || !existsSync(directory))
    return stop(
      'Name the directory of a judged collection in SMART form: npm run bench -- files-quality <directory>. It has documents in *.all, questions in topics* and judgments in qrels*.',
      2,
    );
  const collection = readCollection(directory);
  const embedder = await openChosenEmbedder();
  const stage = await openRetrievalStage(embedder);
  try {
    await fill(stage, embedder, collection);
    const judged: Judged[] = [];
    for (const query of collection.queries) judged.push({ query, rankings: await rankingsOf(stage, embedder, query) });
    const isOdd = ({ query }: Judged): boolean => Number(query.id) % 2 === 1;
    reportHalf('all', judged);
    reportHalf('odd', judged.filter(isOdd));
    reportHalf(
      'even',
      judged.filter((one) => !isOdd(one)),
    );
  } finally {
    await stage.close();
    await embedder.close();
    await stopServers();
  }
};
