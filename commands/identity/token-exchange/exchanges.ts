/** The kinds of subjects that the token exchange takes. */
import { type Either, left } from 'fp-ts/Either';
import type { ExchangeDeps, ExchangedToken, ExchangeRefusal, ExchangeRequest, SubjectExchange } from './exchange';
import { certificateExchange, tokenExchange } from './workload/exchange-workload';

const exchanges: readonly SubjectExchange[] = [tokenExchange, certificateExchange];

export const subjectTokenTypes: readonly string[] = exchanges.flatMap((each) => each.subjectTokenTypes);

const unknownSubject = left({
  code: 'exchange-refused' as const,
  note: { reason: 'The subject token is of no kind that is exchanged here.' },
});

export const exchangeToken = async (
  deps: ExchangeDeps,
  request: ExchangeRequest,
): Promise<Either<ExchangeRefusal, ExchangedToken>> => {
  const { subjectToken, subjectTokenType: type } = request;
  const found = exchanges.find((each) =>
    type === null ? each.recognizes(subjectToken) : each.subjectTokenTypes.includes(type),
  );
  return found === undefined ? unknownSubject : found.exchange(deps, request);
};
