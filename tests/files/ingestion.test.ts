/** Rules of the processing of a version: stages in order, each once, and chunks that are indexed, replaced and withdrawn. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import type { FileId, FolderId, VersionId } from '../../domain/files/ids';
import { type IngestionCommand, ingestion } from '../../domain/files/ingestion/decider';
import type { ChunkPart, IngestionEvent, StageResult } from '../../domain/files/ingestion/events';
import { type IndexedPlace, type IngestionState, nextStage } from '../../domain/files/ingestion/state';
import {
  type IndexingStage,
  indexingStages,
  type JobStage,
  jobStages,
  jobStagesOf,
  pipelineVersion,
} from '../../domain/files/pipeline';
import { fold } from '../../domain/kernel/decider';
import type { PrincipalId } from '../../domain/kernel/ids';
import { given } from '../kernel/domain/given-when-then';
import { historiesOf } from '../support/domain/arbitrary';

const version = { fileId: 'file-1' as FileId, versionId: 'version-1' as VersionId, pipelineVersion } as const;
const ada = 'ada' as PrincipalId;
const sha256 = 'a'.repeat(64);
const content = (key: string) => ({ key, sha256, size: 10 });
const source = { key: 'raw', etag: '"1"', sizeBytes: 9, checksumSha256: sha256, mimeType: 'text/plain' };
const result: StageResult = { format: null, outputs: [content('elements')], count: 3, notice: null };
const withoutVectors: ChunkPart = { chunks: content('chunks'), count: 3, vectors: null };
const withVectors: ChunkPart = { ...withoutVectors, vectors: content('vectors') };
const place: IndexedPlace = { name: 'Lease.txt', folderId: null, ownerId: ada };
const model = 'minilm';

const request: IngestionCommand = { type: 'RequestIngestion', ...version, source, requestedBy: ada };
const complete = (stage: JobStage, token = 1): IngestionCommand => ({
  ...{ type: 'CompleteStage', ...version, stage, token, result },
});
const index = (stage: IndexingStage, token = 1): IngestionCommand => ({
  ...{ type: 'CompleteIndexing', ...version, stage, token, result, place },
  ...(stage === 'embedding'
    ? { parts: [withVectors], embeddingModel: model }
    : { parts: [withoutVectors], embeddingModel: null }),
});
const defer = (stage: JobStage, token = 1): IngestionCommand => ({
  ...{ type: 'DeferStage', ...version, stage, token, reason: 'The model is away.' },
});
const retry = (stage: JobStage): IngestionCommand => ({ type: 'RetryStage', ...version, stage, requestedBy: ada });
const fail = (stage: JobStage, token = 1): IngestionCommand => ({
  ...{ type: 'FailIngestion', ...version, stage, token, code: 'CORRUPT', detail: 'The file is damaged.' },
});
const placeAt = (name: string, folderId: FolderId | null = null): IngestionCommand => ({
  ...{ type: 'PlaceChunks', ...version, place: { ...place, name, folderId } },
});
const withdraw: IngestionCommand = { type: 'WithdrawChunks', ...version };
const cancel: IngestionCommand = { type: 'CancelIngestion', ...version };

const requested: IngestionEvent = { type: 'IngestionRequested', data: { ...version, source, requestedBy: ada } };
const completed = (stage: JobStage, token = 1): IngestionEvent => ({
  type: 'StageCompleted',
  data: { ...version, stage, token, result },
});
const deferred = (stage: JobStage, attempt: number, token = 1): IngestionEvent => ({
  type: 'StageDeferred',
  data: { ...version, stage, token, reason: 'The model is away.', attempt },
});
const retried = (stage: JobStage): IngestionEvent => ({
  type: 'StageRetried',
  data: { ...version, stage, requestedBy: ada },
});
const indexed = (part: ChunkPart, at: Partial<IndexedPlace> = {}): IngestionEvent => ({
  type: 'ChunksIndexed',
  data: { ...version, part: 0, content: part, embeddingModel: part.vectors && model, ...place, ...at },
});
const withdrawn = (part: ChunkPart): IngestionEvent => ({
  type: 'ChunksWithdrawn',
  data: { ...version, part: 0, content: part },
});
const failed = (stage: JobStage): IngestionEvent => ({
  type: 'IngestionFailed',
  data: { ...version, stage, code: 'CORRUPT', detail: 'The file is damaged.' },
});
const partlyReady: IngestionEvent = { type: 'IngestionPartlyReady', data: { ...version, chunks: 3 } };
const ready: IngestionEvent = { type: 'IngestionReady', data: { ...version, chunks: 3 } };
const cancelled: IngestionEvent = { type: 'IngestionCancelled', data: version };

const newer = 'newer';
const embed: IngestionCommand = { type: 'RequestEmbedding', ...version, embeddingModel: newer };
const embeddingRequested: IngestionEvent = {
  type: 'EmbeddingRequested',
  data: { ...version, embeddingModel: newer },
};

const before = (stage: JobStage): readonly IngestionEvent[] => [
  requested,
  ...jobStages.slice(0, jobStages.indexOf(stage)).map((one) => completed(one)),
];
const found = [...before('chunking'), completed('chunking'), indexed(withoutVectors), partlyReady] as const;
/** Nothing was to be recognised. */
const recognised = [...found, completed('ocr'), completed('transcription')] as const;
const done = [...recognised, completed('embedding'), indexed(withVectors), ready] as const;

const withEvents = (...events: readonly IngestionEvent[]) => given(ingestion, ...events);

describe('an ingestion', () => {
  it('is requested once', () => {
    withEvents().when(request).then(requested);
    withEvents(requested).when(request).thenNothing();
    for (const command of [complete('validation'), index('chunking'), defer('ocr'), retry('ocr'), fail('ocr')])
      withEvents().when(command).rejects('ingestion-unknown');
    for (const command of [placeAt('x'), withdraw, cancel]) withEvents().when(command).rejects('ingestion-unknown');
  });

  it('has its stages in order, each once', () => {
    withEvents(requested).when(complete('validation')).then(completed('validation'));
    withEvents(requested, completed('validation')).when(complete('validation', 9)).thenNothing();
    withEvents(requested).when(complete('text_extraction')).thenNothing();
    withEvents(...done)
      .when(complete('embedding', 9))
      .thenNothing();
  });

  it('is found by its words after chunking, and ready with its vectors', () => {
    withEvents(...before('chunking'))
      .when(index('chunking'))
      .then(completed('chunking'), indexed(withoutVectors), partlyReady);
    withEvents(...found)
      .when(index('chunking'))
      .thenNothing();
    withEvents(...recognised)
      .when(index('embedding'))
      .then(completed('embedding'), indexed(withVectors), ready);
    withEvents(...done)
      .when(index('embedding'))
      .thenNothing();
  });

  it('has more chunks of what is recognised after its own text', () => {
    withEvents(...found)
      .when(index('ocr'))
      .then(completed('ocr'), indexed(withoutVectors));
    withEvents(...found, completed('ocr'))
      .when(index('transcription'))
      .then(completed('transcription'), indexed(withoutVectors));
  });

  it('goes on by the order of the pipeline that it began with', () => {
    const ofFirst = <Event extends IngestionEvent>(event: Event): Event => ({
      ...event,
      data: { ...event.data, pipelineVersion: 1 },
    });
    const order = jobStagesOf(1);
    assert.deepEqual(order.slice(2), ['text_extraction', 'ocr', 'chunking', 'embedding']);
    const events = [requested, ...order.slice(0, 3).map((stage) => completed(stage))].map(ofFirst);
    const state = fold(ingestion, ingestion.initial, events);
    assert.ok(state.kind !== 'none');
    assert.equal(nextStage(state), 'ocr');
    const read = fold(ingestion, state, [ofFirst(completed('ocr')), ofFirst(completed('chunking'))]);
    assert.ok(read.kind !== 'none');
    assert.equal(nextStage(read), 'embedding');
  });

  it('puts a stage off as often as it takes, and takes no result of an older claim', () => {
    withEvents(...recognised)
      .when(defer('embedding', 3))
      .then(deferred('embedding', 1, 3));
    const later = [...recognised, deferred('embedding', 1, 3)];
    withEvents(...later)
      .when(defer('embedding', 3))
      .thenNothing();
    withEvents(...later)
      .when(defer('embedding', 4))
      .then(deferred('embedding', 2, 4));
    withEvents(...later)
      .when(index('embedding', 2))
      .thenNothing();
    withEvents(...later)
      .when(index('embedding', 4))
      .then(completed('embedding', 4), indexed(withVectors), ready);
    withEvents(...found)
      .when(defer('validation'))
      .thenNothing();
  });

  it('is requested again by a newer pipeline, once', () => {
    const again: IngestionCommand = { type: 'RequestReindexing', ...version, source, requestedBy: ada };
    const reindexing: IngestionEvent = { type: 'ReindexingRequested', data: { ...version, source, requestedBy: ada } };
    withEvents().when(again).then(reindexing);
    withEvents(reindexing).when(again).thenNothing();
    withEvents(requested).when(again).thenNothing();
    withEvents(reindexing).when(request).thenNothing();
    withEvents(reindexing).when(complete('validation')).then(completed('validation'));
  });

  describe('whose vectors are of another model', () => {
    const embedAgain = (token: number): IngestionCommand => ({
      ...(index('embedding', token) as Extract<IngestionCommand, { type: 'CompleteIndexing' }>),
      parts: [{ ...withVectors, vectors: content('newer') }],
      embeddingModel: newer,
    });
    const indexedAgain = indexed({ ...withVectors, vectors: content('newer') });
    const asNewer = { ...indexedAgain, data: { ...indexedAgain.data, embeddingModel: newer } } as IngestionEvent;
    const pending = [...done, embeddingRequested];

    it('has them made by the one that is set up, once, where there are any', () => {
      withEvents(...done)
        .when(embed)
        .then(embeddingRequested);
      withEvents(...pending)
        .when(embed)
        .thenNothing();
      withEvents(...done)
        .when({ type: 'RequestEmbedding', ...version, embeddingModel: model })
        .thenNothing();
      for (const events of [[requested], found, recognised, [requested, ready]])
        withEvents(...events)
          .when(embed)
          .thenNothing();
      withEvents(...done, withdrawn(withVectors))
        .when(embed)
        .thenNothing();
    });

    it('has the new ones in the place of the old ones with one append', () => {
      withEvents(...pending)
        .when(embedAgain(2))
        .then(completed('embedding', 2), asNewer, ready);
      const replaced = [...pending, completed('embedding', 2), asNewer, ready];
      withEvents(...replaced)
        .when(embedAgain(3))
        .thenNothing();
      withEvents(...replaced)
        .when(embed)
        .thenNothing();
      withEvents(...pending)
        .when(embedAgain(0))
        .thenNothing();
    });

    it('has them at the place that it has by then, whatever the worker read before', () => {
      const renamed = [...pending, indexed(withVectors, { name: 'Contract.txt' })];
      const named = { ...asNewer, data: { ...asNewer.data, name: 'Contract.txt' } } as IngestionEvent;
      withEvents(...renamed)
        .when(embedAgain(2))
        .then(completed('embedding', 2), named, ready);
    });

    it('goes on answering while the model is away', () => {
      withEvents(...pending)
        .when(defer('embedding', 2))
        .then(deferred('embedding', 1, 2));
      withEvents(...pending)
        .when(fail('embedding'))
        .thenNothing();
      const waiting = [...pending, deferred('embedding', 1, 2)];
      withEvents(...waiting)
        .when(retry('embedding'))
        .then(retried('embedding'));
      withEvents(...waiting, retried('embedding'))
        .when(embedAgain(3))
        .then(completed('embedding', 3), asNewer, ready);
      withEvents(...pending)
        .when(retry('embedding'))
        .rejects('stage-not-retriable');
    });

    it('has none once it is withdrawn', () => {
      withEvents(...pending)
        .when(withdraw)
        .then(withdrawn(withVectors));
      withEvents(...pending, withdrawn(withVectors))
        .when(embedAgain(2))
        .thenNothing();
    });
  });

  it('is retried where it failed or waits, and nowhere else', () => {
    withEvents(...recognised, deferred('embedding', 1))
      .when(retry('embedding'))
      .then(retried('embedding'));
    withEvents(...recognised, deferred('embedding', 1), retried('embedding'))
      .when(retry('embedding'))
      .rejects('stage-not-retriable');
    withEvents(requested, failed('validation')).when(retry('validation')).then(retried('validation'));
    withEvents(requested, failed('validation'), retried('validation'))
      .when(complete('validation'))
      .then(completed('validation'));
    withEvents(requested, failed('validation')).when(retry('ocr')).rejects('stage-not-retriable');
    withEvents(requested).when(retry('validation')).rejects('stage-not-retriable');
    withEvents(...recognised, deferred('embedding', 1), cancelled)
      .when(retry('embedding'))
      .rejects('stage-not-retriable');
    withEvents(...done)
      .when(retry('embedding'))
      .rejects('stage-not-retriable');
  });

  it('fails in the stage that it is in', () => {
    withEvents(requested).when(fail('validation')).then(failed('validation'));
    withEvents(requested, failed('validation')).when(fail('validation')).thenNothing();
    withEvents(requested, completed('validation')).when(fail('validation')).thenNothing();
    withEvents(requested, deferred('validation', 1, 4))
      .when(fail('validation', 3))
      .thenNothing();
    withEvents(requested, deferred('validation', 1, 4))
      .when(fail('validation', 5))
      .then(failed('validation'));
    withEvents(...done)
      .when(fail('embedding'))
      .thenNothing();
  });

  it('is cancelled while it runs', () => {
    withEvents(requested).when(cancel).then(cancelled);
    withEvents(requested, cancelled).when(cancel).thenNothing();
    withEvents(...done)
      .when(cancel)
      .thenNothing();
    for (const command of [complete('validation'), fail('validation'), defer('validation')])
      withEvents(requested, cancelled).when(command).thenNothing();
  });

  it('has its chunks placed again when the file is called otherwise or lies elsewhere', () => {
    const folderId = 'folder-1' as FolderId;
    withEvents(...done)
      .when(placeAt('Old.txt'))
      .then(indexed(withVectors, { name: 'Old.txt' }));
    withEvents(...found)
      .when(placeAt(place.name))
      .thenNothing();
    withEvents(...done, indexed(withVectors, { folderId }))
      .when(placeAt(place.name, folderId))
      .thenNothing();
    withEvents(requested).when(placeAt('Old.txt')).thenNothing();
  });

  it('has its chunks withdrawn once, and for ever', () => {
    withEvents(...done)
      .when(withdraw)
      .then(withdrawn(withVectors));
    withEvents(...found)
      .when(withdraw)
      .then(withdrawn(withoutVectors), cancelled);
    withEvents(...done, withdrawn(withVectors))
      .when(withdraw)
      .thenNothing();
    withEvents(...found, withdrawn(withoutVectors), cancelled)
      .when(index('embedding'))
      .thenNothing();
    withEvents(...done, withdrawn(withVectors))
      .when(placeAt('Old.txt'))
      .thenNothing();
    withEvents(...recognised, failed('embedding'), withdrawn(withoutVectors))
      .when(retry('embedding'))
      .rejects('stage-not-retriable');
    withEvents(requested).when(withdraw).then(cancelled);
    withEvents(requested, failed('validation')).when(withdraw).then(cancelled);
    withEvents(requested, failed('validation'), cancelled).when(retry('validation')).rejects('stage-not-retriable');
  });
});

const stages = fc.constantFrom(...jobStages);
const tokens = fc.integer({ min: 1, max: 3 });
const commands: fc.Arbitrary<IngestionCommand> = fc.oneof(
  fc.constant(request),
  { weight: 8, arbitrary: fc.tuple(stages, tokens).map(([stage, token]) => complete(stage, token)) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom(...indexingStages), tokens).map(([stage, token]) => index(stage, token)),
  },
  { weight: 2, arbitrary: fc.tuple(stages, tokens).map(([stage, token]) => defer(stage, token)) },
  stages.map(retry),
  stages.map(fail),
  fc.constantFrom(placeAt('a'), placeAt('b'), withdraw, cancel),
);

describe('an ingestion, after whatever commands', () => {
  const stateAfter = (events: readonly IngestionEvent[]): IngestionState => fold(ingestion, ingestion.initial, events);
  const sequences = fc.array(commands, { minLength: 20, maxLength: 100, size: 'max' }).map((sequence) => {
    const events: IngestionEvent[] = [];
    for (const command of [request, ...sequence]) {
      const decision = ingestion.decide(command, stateAfter(events));
      if (isRight(decision)) events.push(...decision.right);
    }
    return events;
  });

  it('has one completion of each stage, in order', () =>
    fc.assert(
      fc.property(sequences, (events) => {
        const ended = events.flatMap((event) => (event.type === 'StageCompleted' ? [event.data.stage] : []));
        assert.deepEqual(ended, jobStages.slice(0, ended.length));
      }),
    ));

  it('indexes nothing after chunks were withdrawn, and works on nothing after its end', () =>
    fc.assert(
      fc.property(sequences, (events) => {
        const last = events.findIndex(({ type }) => type === 'ChunksWithdrawn');
        if (last >= 0) assert.ok(events.slice(last).every(({ type }) => type !== 'ChunksIndexed'));
        const state = stateAfter(events);
        assert.ok(state.kind !== 'none');
        assert.equal(
          nextStage(state) === undefined,
          state.kind !== 'running' || jobStages.every((one) => state.done[one]),
        );
        if (state.isWithdrawn) assert.notEqual(state.kind, 'running');
      }),
    ));

  it('is changed once by a command that is repeated', () =>
    fc.assert(
      fc.property(fc.oneof(sequences, historiesOf(ingestion, commands)), commands, (events, command) => {
        const decision = ingestion.decide(command, stateAfter(events));
        if (!isRight(decision)) return;
        const second = ingestion.decide(command, stateAfter([...events, ...decision.right]));
        assert.deepEqual(isRight(second) ? second.right : [], []);
      }),
    ));
});
